"""A browser's own description in a few words. Pure, and a guess: browsers tell of themselves what they like."""

from __future__ import annotations

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
    ("curl", "curl"),
    ("python", "Python"),
)
"""The first sign found counts: most browsers also claim to be those below them."""

SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def words_for(user_agent: str) -> str:
    """Such as `Firefox on Linux`."""
    browser = next((name for sign, name in BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS if sign in user_agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "Unknown device"
