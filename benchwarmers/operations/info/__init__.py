"""The page of information: which program runs here on what, how it is, and a text of it for a report of a bug."""
