"""The whole product under load while its processes and stores are killed and paused, and for hours with bad readers.

`python -m benchwarmers.tests.chaos` runs the faults, `python -m benchwarmers.tests.chaos.soak` the long one.
"""
