"""Campaigns against every parser: what is wrong in a thousand ways is read or refused, soon, and by the parser's own
kind of refusal.

`make fuzz MINUTES=10` runs them; `test_short.py` is a short run that always sends the same.
"""
