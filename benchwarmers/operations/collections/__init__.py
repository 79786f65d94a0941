"""The pages of collections: the list, the editor with its preview, and the page of one."""
