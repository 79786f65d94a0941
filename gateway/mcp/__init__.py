"""The Model Context Protocol: tools, resources and prompts for agents, over HTTP and over a pipe.

Everything it does, it does by the gateway's own routes, so that scopes, rates, budgets and records hold as for any
caller.
"""
