"""The page of a hub: its connections, and adding a model through one."""
