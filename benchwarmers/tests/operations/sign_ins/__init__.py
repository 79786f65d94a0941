"""The pages of sign-ins to providers, against the authorisation server of `probes.tests.sign_ins`."""
