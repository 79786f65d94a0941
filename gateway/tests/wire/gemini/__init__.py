"""Tests of generateContent, as a server and as a client."""
