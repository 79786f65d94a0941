"""Signs programs in for people, by OAuth: the pages and routes around those of the library (allauth)."""
