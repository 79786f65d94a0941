"""Signing in to providers: by an ordinary key, by OAuth or by a code, and keeping what was signed in to alive. See
docs/design/sign-ins.md."""
