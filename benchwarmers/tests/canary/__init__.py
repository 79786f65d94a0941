"""Distinctive values in every secret there is, a provider that repeats whatever it is sent, and a look at all that
comes out."""
