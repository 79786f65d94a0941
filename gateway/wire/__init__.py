"""Wire formats: bytes to canon and back. Pure: no network, no clock, no database. One folder per protocol."""
