"""Every command that the documents print, for a shell: which test runs it, or why none can."""
