"""What stops a backup or a restore."""

from __future__ import annotations


class Refused(Exception):
    """It cannot be done, or not like this; the text is one whole sentence for the operator. Nothing was changed."""
