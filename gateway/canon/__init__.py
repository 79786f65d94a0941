"""The canon: the product's own words for a request, an answer and a failure. Pure values; stdlib and msgspec only."""
