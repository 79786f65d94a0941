"""What public feeds and endpoints' listings say of models: fetched, weighed, kept as facts, offered as models to add.

See docs/design/catalog.md.
"""
