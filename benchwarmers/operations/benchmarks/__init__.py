"""The pages of the suite: how models fare, tasks, answers, the review of drafts, and passes."""
