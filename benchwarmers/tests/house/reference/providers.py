"""docs/providers.md: every provider that the form for an endpoint knows, from the presets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchwarmers.tests.house.reference.words import code, page, table
from gateway.canon.kinds import EndpointKind
from probes.providers import PRESETS, Preset

_KINDS: Final = (
    (EndpointKind.PROVIDER, "Providers", "They serve their own models."),
    (EndpointKind.AGGREGATOR, "Aggregators", "They resell the models of many."),
    (
        EndpointKind.LOCAL,
        "On this machine",
        "Servers that you run yourself. No key is needed unless you set one there.",
    ),
    (
        EndpointKind.HUB,
        "Hubs",
        "Gateways of your own with connections behind them, see [hubs](hubs.md). Make a key in the hub.",
    ),
)
_FORM: Final = """On the page: Operate, *Endpoints*, choose the provider, paste the key, *Test*, *Save*. Or in the
[set-up file](setup-file.md), with the key in a variable of the server:

```toml
[[endpoint]]
name = "groq"
base = "https://api.groq.com/openai/v1"
key_env = "GROQ_API_KEY"
```

A variable of the table below that is set where the server starts is found by itself: the page offers the endpoint for
one click, and `manage.py detect` tells it. `BENCHWARMERS_KEY_<NAME>` wins over whatever is stored. Then
[take models on](onboarding.md) from what the endpoint lists, and put them in a [collection](collections.md).

Any other server that speaks one of the APIs of [endpoints](endpoints.md#apis) is added by its address. Some providers
can be [signed in to](sign-ins.md) in place of a key."""


def write() -> str:
    """The page."""
    return page(
        "Add each provider",
        _FORM,
        *(f"## {title}\n\n{about}\n\n{_table(kind)}" for kind, title, about in _KINDS),
    )


def _table(kind: EndpointKind) -> str:
    presets = [preset for preset in PRESETS.values() if preset.kind is kind]
    if kind in (EndpointKind.LOCAL, EndpointKind.HUB):
        rows = [(preset.label, code(preset.id), code(preset.base), preset.api) for preset in presets]
        return table(("server", "name", "usual address", "API"), rows)
    return table(("provider", "name", "address", "API", "key", "variable", ""), map(tuple, map(_cells, presets)))


def _cells(preset: Preset) -> Iterator[str]:
    yield preset.label
    yield code(preset.id)
    yield code(preset.base)
    yield preset.api
    yield f"[made here]({preset.key_at})" if preset.key_at else "none"
    yield ", ".join(map(code, preset.variables))
    yield preset.note
