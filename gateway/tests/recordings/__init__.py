"""Replies of providers, recorded or made by hand, read as what they say."""
