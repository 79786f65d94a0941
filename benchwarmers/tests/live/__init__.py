"""The whole product, started by its own command, asked by real clients over loopback."""
