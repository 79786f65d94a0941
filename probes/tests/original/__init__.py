"""Moving in from the original: folders like its own, read, rehearsed and taken over."""
