"""Back up, restore and move an installation: one archive format for both databases.

An archive is a zip with one file of JSON lines a table and a manifest, written last. It is made of one consistent view
of the database while the server works, and is restored beside what is there, checked row by row, and only then put in
its place.
"""
