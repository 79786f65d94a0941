"""Tests of the canon: values, folds, and the small rules that clients can see."""
