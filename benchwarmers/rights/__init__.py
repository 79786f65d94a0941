"""Who may go where: the one table of every route (`table`), what its rules mean (`rule`) and who enforces it
(`enforce`). What somebody may see of what lies behind a route is in `benchwarmers.sight`."""
