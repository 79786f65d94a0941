"""At the end of an agent's turn: which of the panel's answers that this session used still wait for a verdict.

Reads the transcript here, on the agent's machine, and sends the server nothing of it but call ids. Each call is told
once a session. Needs Python 3.9 and nothing else. Reads what the agent tells a hook from its input; writes what it is
to do next, or nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path

CALL = re.compile(r"\bp\d{8}-\d{6}-[0-9a-f]{4,12}\.[a-z]+\d*\b")
TAIL = 8 << 20  # bytes of a transcript that are read, from its end
MOST = 5_000  # ids in one question, the server's own limit
TIMEOUT_S = 10.0
TEXT = (
    "{count} of the panel's answers you used have no verdict yet: {calls}. Check each against the real work and send "
    "one `verdict` for it; say useful false if it did not help."
)


def calls_in(transcript: Path) -> list[str]:
    """The newest ids of seats that the end of a transcript names, each once."""
    with transcript.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - TAIL))
        text = file.read(TAIL).decode("utf-8", errors="replace")
    return list(dict.fromkeys(CALL.findall(text)))[-MOST:]


def load_pending(calls: list[str]) -> list[str]:
    """Those that wait, as the server says. Raises OSError or ValueError when it cannot be asked."""
    base = os.environ.get("BENCHWARMERS_URL") or "http://127.0.0.1:8122"
    address = base.rstrip("/").removesuffix("/v1") + "/bench/pending"
    if not address.startswith(("http://", "https://")):
        raise ValueError(f"{address} is no address of a web server")
    key = os.environ.get("BENCHWARMERS_KEY") or "local"
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(address, json.dumps({"calls": calls}).encode(), headers)  # noqa: S310 looked at above
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:  # noqa: S310 the same
        pending = json.load(reply)["pending"]
    return [call for call in calls if call in set(pending)]


def fresh(session: str, calls: list[str]) -> list[str]:
    """Those that this session was not told of; it is now. Kept in a file a session."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(os.environ.get("CLAUDE_PLUGIN_DATA") or Path(cache) / "benchwarmers")
    file = folder / "told" / hashlib.sha256(session.encode()).hexdigest()[:32]
    told = set(file.read_text("utf-8").split()) if file.exists() else set()
    new = [call for call in calls if call not in told]
    if new:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as lines:
            lines.write("".join(f"{call}\n" for call in new))
    return new


def answer(said: dict[str, object]) -> str:
    """What the agent is told: JSON, or nothing. Raises OSError or ValueError."""
    transcript = Path(str(said.get("transcript_path") or ""))
    if said.get("stop_hook_active") is True or transcript.suffix != ".jsonl" or not transcript.is_file():
        return ""
    calls = calls_in(transcript)
    pending = load_pending(calls) if calls else []
    new = fresh(str(said.get("session_id") or transcript), pending)
    if not new:
        return ""
    text = TEXT.format(count=len(new), calls=", ".join(new))
    return json.dumps({"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": text}})


def main() -> int:
    """0 whether or not something is owed; 1, with a sentence that stops nobody, when the server cannot be asked."""
    try:
        print(answer(json.load(sys.stdin)), end="")
    except urllib.error.HTTPError as refusal:
        told = refusal.read(2_000).decode("utf-8", errors="replace")
        print(f"benchwarmers: owed verdicts were refused ({refusal.code}): {told}", file=sys.stderr)
        return 1
    except (OSError, ValueError, KeyError) as error:
        print(f"benchwarmers: owed verdicts could not be looked up: {error!r}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
