"""Pictures that the server draws: scales, marks, labels that do not overlap, whiskers, stacked bars and scatter plots.
Pure; nothing here knows what is drawn."""
