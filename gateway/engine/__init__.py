"""The runtime: canon in, events out. Knows providers, the database and Redis; knows no HTTP request of a caller."""
