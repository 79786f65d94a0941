"""The pages people use. They read through selectors, write through actions, and work without scripts."""
