"""Who may go where: every route asked as everybody."""
