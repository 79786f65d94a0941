"""Tests of Responses, as a server and as a client."""
