"""Programs that people sign in: registered, let in, renewed, signed out, and refused."""
