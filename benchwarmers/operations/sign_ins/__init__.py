"""The pages on which people sign endpoints in to providers."""
