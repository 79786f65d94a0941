"""What is shipped, and the files that others start it by."""
