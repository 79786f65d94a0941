"""Finding: pages, models, collections, panels and the rest by a few letters, from any page."""
