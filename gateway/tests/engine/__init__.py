"""Tests of the runtime: decisions row by row, and the parts that touch a database, Redis or the network for real."""
