"""The daily check and a call by hand as whole jobs, over HTTP to a provider on this machine."""
