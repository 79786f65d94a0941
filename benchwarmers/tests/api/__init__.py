"""What people's programs ask under /api/."""
