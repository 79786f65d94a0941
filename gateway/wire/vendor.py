"""Tools that their provider runs (web search and the like), where the request goes to several models.

Among other tools they are left out for members that do not have them, and named. Where they are all that was asked for,
leaving them out would change the request's meaning: then it is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from gateway.canon.ask import Ask, Tool
from gateway.canon.fault import BadRequest


def refuse_vendor_tools(ask: Ask) -> BadRequest | None:
    """Why this request cannot do without its vendor-run tools; None when it can, or has none."""
    if not ask.tools:
        return None
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


def carry(tools: Sequence[Tool], *, same_protocol: bool, plain: bool = False) -> list[Tool]:
    """The tools a member can be offered. One that speaks the caller's protocol gets its provider's own too; with
    `plain` only where there are no others, for then its refusal says more than an answer without them."""
    every = same_protocol and (not plain or all(tool.kind == "vendor" for tool in tools))
    return [tool for tool in tools if tool.kind != "vendor" or every]
