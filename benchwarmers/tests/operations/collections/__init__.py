"""The pages of collections."""
