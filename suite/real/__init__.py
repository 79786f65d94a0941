"""Tasks from bugs that were really made: a fix is read, judged, and becomes a pair of drafts."""
