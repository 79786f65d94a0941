"""The writes: every change to the catalogue goes through one of these functions, whoever asks for it and from where.

Each checks the permission, then every rule, then writes in one transaction, logs each changed field and announces
the topic. `actor` is the person; null is the installation itself. Saving what is already so writes nothing.
"""
