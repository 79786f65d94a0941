"""Backing up and restoring on both databases: whole, damaged, while others write, with processes that are killed."""
