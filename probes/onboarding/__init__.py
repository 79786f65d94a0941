"""Takes models on: what could be, what must not be, and the five steps of it. See docs/design/onboarding.md."""
