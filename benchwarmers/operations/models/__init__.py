"""The pages of models: all of them with how they are, and one with what is known of it and what can be done."""
