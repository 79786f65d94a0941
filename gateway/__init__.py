"""The gateway: canon, wire formats, engine and HTTP edge. Layers inside are kept apart by import contracts."""
