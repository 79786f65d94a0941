"""The page of settings: one's own, the installation's by section, and what only the environment says."""
