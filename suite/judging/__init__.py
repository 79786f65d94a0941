"""Judging by a model, whose own error is measured first."""
