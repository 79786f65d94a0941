"""The starter pack: that every key is right, and right for what is shown."""
