"""Coming in, and the pages about people, by Django's test client."""
