"""Long context: one described function to be found in much real code, at every depth."""
