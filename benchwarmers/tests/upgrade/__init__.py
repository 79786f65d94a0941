"""A small installation with rows in every table, and what each released version made of it: it becomes today's."""
