"""The command line: against a scripted server, and as programs of their own."""
