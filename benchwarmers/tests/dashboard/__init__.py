"""The pages by Django's test client."""
