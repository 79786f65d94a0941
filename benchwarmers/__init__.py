"""The top layer: settings, processes, pages. It assembles the other apps and decides nothing of theirs."""
