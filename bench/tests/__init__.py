"""The bench itself: its client counts right, its gate can fail."""
