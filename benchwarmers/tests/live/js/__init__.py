"""Scripts for the vendors' own JavaScript libraries, and where those are installed."""
