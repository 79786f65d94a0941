"""Tests of Ollama's API: chat on both sides, generate for callers."""
