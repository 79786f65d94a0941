"""Input that means harm: to the connections, to the server as a whole, and to every parser."""
