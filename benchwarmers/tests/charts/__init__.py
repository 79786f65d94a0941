"""The pictures that the server draws, drawn by themselves."""
