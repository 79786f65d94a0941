"""The pages on which curators run things: one package a page. They read by selectors, write by actions, and decide
nothing."""
