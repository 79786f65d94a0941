"""Tests of the wire: framing, pieces, bodies, and each protocol in a folder of its own."""
