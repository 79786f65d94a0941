"""Tests of the page of logs."""
