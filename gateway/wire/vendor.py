"""Tools that their provider runs (web search and the like), where the request goes to several models.

Among other tools they are left out for members that do not have them, and named. Where they are all that was asked for,
leaving them out would change the request's meaning: then it is refused.
"""

from __future__ import annotations

from gateway.canon.ask import Ask
from gateway.canon.fault import BadRequest


def refuse_vendor_tools(ask: Ask) -> BadRequest | None:
    """Why this request cannot do without its vendor-run tools; None when it can, or has none."""
    vendor = [tool.name for tool in ask.tools if tool.kind == "vendor"]
    if not vendor:
        return None
    named = ", ".join(vendor)
    if len(vendor) == len(ask.tools):
        return BadRequest(f"Only the provider itself can run {named}. Offer tools that you run, or none.")
    if ask.tool_choice.mode == "named" and ask.tool_choice.name in vendor:
        return BadRequest(
            f"`tool_choice` names {ask.tool_choice.name}, which only the provider itself can run. "
            "Name a tool that you run, or send auto."
        )
    if ask.bench.strict:
        return BadRequest(
            f"Only the provider itself can run {named}, and `bench.strict` forbids leaving them out. Offer other tools."
        )
    return None
