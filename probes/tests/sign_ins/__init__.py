"""Tests of sign-ins to providers, against an authorisation server of their own."""
