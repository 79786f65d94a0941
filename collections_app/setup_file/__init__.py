"""The set-up file: the installation's configuration as a TOML text that lives in version control.

`read` turns the text into entries with line numbers, `apply` makes the installation equal to them, `export` writes
them.
"""
