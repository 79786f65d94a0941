"""What people asked and models answered, for pages that should look as they do in use. Invented, every word."""

PROMPTS = {
    "review": """\
Review this retry helper before we ship it. Name real defects only, with the line.

def fetch(url, tries=3):
    for n in range(tries):
        try:
            return requests.get(url, timeout=None).json()
        except Exception:
            time.sleep(2 ** n)""",
    "plan": "Our nightly export takes 50 minutes and locks the orders table. Which three changes would you try first, and why?",
    "quick": "Is RFC 9110 clear on whether a 204 may carry Content-Length?",
    "prose": "Rewrite the refund notice so that a customer who is already angry reads to the end.",
    "long": "\n".join(
        [
            "Here is the incident log of the night. Tell me when the queue first fell behind, and what changed just before."
        ]
        + [
            f"02:{minute:02d}:07 worker-{minute % 4} depth={minute * 37 % 411} lag={minute * 13 % 97}s"
            for minute in range(48)
        ]
    ),
}

ANSWERS = {
    "sure": """\
Three defects, in the order I would fix them.

1. **No timeout** (line 4). `timeout=None` waits for ever on a dead peer, so the retries below never happen.
2. **Every exception is retried** (line 5). A `404` or a JSON error will fail the same way three times.
3. **The last failure vanishes.** After the loop the function returns `None`, and the caller sees a `TypeError` far away.

```python
RETRY = {408, 429, 500, 502, 503, 504}

def fetch(url: str, tries: int = 3) -> dict:
    for attempt in range(tries):
        reply = requests.get(url, timeout=(3, 20))
        if reply.status_code not in RETRY:
            reply.raise_for_status()
            return reply.json()
        time.sleep(2**attempt + random.random())
    raise FetchFailed(url, reply.status_code)
```

The pause after the *last* try is wasted too, but that is taste.
""",
    "brief": """\
- `timeout=None` means no timeout at all. Set one.
- `except Exception` also swallows `KeyboardInterrupt`, so the process cannot be stopped.
- Falls through to `None` when every try failed.

Everything else is fine for a helper of this size.
""",
    "table": """\
### Findings

| Line | Defect | Weight |
|---|---|---|
| 4 | no timeout | high |
| 5 | bare retry of every error | high |
| 6 | no jitter, so clients retry in step | medium |
| 7 | returns `None` at the end | high |

> The jitter matters only with many callers; with one it is noise.

I would also stop calling `.json()` inside the `try`: a decoding error is not a network error.
""",
    "merged": """\
All three that answered agree on two defects: **no timeout** and **a silent `None`** after the last try (seats 1, 2, 4).

Seats 1 and 4 add that every exception is retried, client errors included. Seat 2 claims that `except Exception` swallows
`KeyboardInterrupt`; it does not, since that is a `BaseException`. **Minority:** only seat 4 asks for jitter.

2 members of 3 answered, and one explorer of two.
""",
    "plan": """\
Start with what holds the lock, not with what takes the time.

1. **Read from a replica.** The export needs a consistent snapshot, not the primary.
2. **Page by key.** `WHERE id > :last ORDER BY id LIMIT 5000` instead of one cursor over the whole table.
3. **Export changes only.** Keep `updated_at` of the last run; most orders never change after a week.

Measure the first before doing the second.
""",
}

THOUGHT = "The loop has no `else`. So what does it return after three failures? Nothing: `None`. That is worse than the missing timeout."
