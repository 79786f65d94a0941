"""The start page: what to do first, what needs action, and how things stand."""
