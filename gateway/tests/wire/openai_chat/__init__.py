"""Tests of chat completions, as a server and as a client."""
