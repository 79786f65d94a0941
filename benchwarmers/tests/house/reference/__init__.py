"""The reference pages of the documents, written from the code: `python -m benchwarmers.tests.house.reference`.

Each module of the package makes one page, as text. `pages.py` says which; a test fails when one on disk is stale.
"""
