"""What the command line and other programs of people ask and change: the pages' deeds as JSON, by the same actions."""
