"""Tests of Messages, as a server and as a client."""
