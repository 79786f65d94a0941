"""What every test of every app may rely on; the settings are in `benchwarmers.tests.settings`."""
