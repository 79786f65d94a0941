"""The form of an endpoint: what a person types, read into what a trial and the actions take. A refusal of an action
comes back at the field that it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from django import forms
from django.utils.translation import gettext_lazy as _

from collections_app.actions.endpoint import HUBS
from collections_app.key_variables import variable_problem
from collections_app.models import Endpoint
from collections_app.refusal import Refused
from gateway.canon.kinds import Api, EndpointKind
from probes.endpoint_trial import Typed
from probes.providers import Preset

KINDS: Final = (
    ("", _("Told from the address")),
    (EndpointKind.PROVIDER.value, _("Provider")),
    (EndpointKind.AGGREGATOR.value, _("Aggregator of providers")),
    (EndpointKind.HUB.value, _("Hub of your own")),
    (EndpointKind.LOCAL.value, _("Local model server")),
)
APIS: Final = (
    (Api.CHAT.value, "Chat completions"),
    (Api.RESPONSES.value, "OpenAI Responses"),
    (Api.ANTHROPIC.value, "Anthropic Messages"),
    (Api.GEMINI.value, "Gemini"),
    (Api.OLLAMA.value, "Ollama"),
)
HUB_NAMES: Final = dict(zip(HUBS, ("Open WebUI", "LiteLLM", "CLI Proxy API"), strict=True))
TAKEN: Final = ("base", "api", "kind", "hub")
"""What a suggestion may set."""
MORE: Final = ("key_env", "headers", "models_url", "unlisted_models", "decisions_url")
PAGES: Final = frozenset({"new", "found", "adopt"})
"""Words that stand in the place of a name in addresses."""
HEADER_RULE: Final = _("Write one header a line, as Name: value.")


class EndpointForm(forms.Form):
    """For a new endpoint, or with `row` for that one. The key is never shown; empty leaves it as it is."""

    name = forms.CharField(max_length=32)
    base = forms.CharField(max_length=500)
    kind = forms.ChoiceField(choices=KINDS, required=False)
    hub = forms.ChoiceField(choices=(("", "–"), *HUB_NAMES.items()), required=False)
    api = forms.ChoiceField(choices=APIS, required=False)
    key = forms.CharField(required=False, max_length=5000)
    admin_key = forms.CharField(required=False, max_length=5000)
    key_env = forms.CharField(required=False, max_length=100)
    headers = forms.CharField(required=False, max_length=10_000)
    models_url = forms.CharField(required=False, max_length=500)
    unlisted_models = forms.CharField(required=False, max_length=20_000)
    decisions_url = forms.CharField(required=False, max_length=500)
    keys_move = forms.BooleanField(required=False)
    anyway = forms.BooleanField(required=False)

    def __init__(self, data: Any = None, *, row: Endpoint | None = None, initial: dict[str, Any] | None = None) -> None:
        self.row = row
        super().__init__(taken(data) if data is not None else None, initial=initial or (fill(row) if row else {}))
        if row is not None:
            del self.fields["name"]

    @property
    def opens_more(self) -> bool:
        """Whether something stands in the fields that few need."""
        return any(self[name].value() for name in MORE) or any(self[name].errors for name in MORE)

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if name in PAGES:
            raise forms.ValidationError(f"There is a page at endpoints/{name}/ already; choose another name.")
        return name

    def clean_key_env(self) -> str:
        """Said before anything is tried: a trial sends the key too."""
        variable = str(self.cleaned_data["key_env"]).strip()
        if problem := variable_problem(variable, kept=self.row.key_env if self.row else ""):
            raise forms.ValidationError(problem)
        return variable

    def clean_headers(self) -> dict[str, str]:
        headers = {}
        for line in self.cleaned_data["headers"].splitlines():
            if not line.strip():
                continue
            name, colon, value = line.partition(":")
            if not colon or not value.strip():
                raise forms.ValidationError(HEADER_RULE)
            headers[name.strip()] = value.strip()
        return headers

    def clean_unlisted_models(self) -> list[str]:
        return list(self.cleaned_data["unlisted_models"].split())

    def clean_hub(self) -> str:
        """A hub is told by its kind; for another kind the choice means nothing."""
        hub = str(self.cleaned_data["hub"])
        return hub if self.cleaned_data.get("kind") in ("", EndpointKind.HUB) else ""

    @property
    def name_meant(self) -> str:
        return self.row.name if self.row else self.cleaned_data["name"].strip()

    def typed(self) -> Typed:
        """What a trial takes. Of a valid form."""
        clean = self.cleaned_data
        return Typed(
            name=self.name_meant,
            base=clean["base"].strip().rstrip("/"),
            kind=clean["kind"],
            api=clean["api"] or Api.CHAT,
            hub=clean["hub"],
            key=clean["key"].strip(),
            key_env=clean["key_env"],
            models_url=clean["models_url"].strip(),
            decisions_url=clean["decisions_url"].strip(),
            headers=clean["headers"],
            unlisted=tuple(clean["unlisted_models"]),
            saved=self.row,
            keys_move=clean["keys_move"],
        )

    def values(self) -> dict[str, Any]:
        """What the action takes, apart from the actor. What the form does not ask for stays. Of a valid form."""
        clean = self.cleaned_data
        kept = self.row
        hub = clean["kind"] == EndpointKind.HUB or bool(clean["hub"])
        return {
            "name": self.name_meant,
            **{name: clean[name] for name in ("base", "kind", "hub", "api", *MORE)},
            "key_name": kept.key_name if kept else "",
            "admin_key_name": kept.admin_key_name if kept and hub else "",
            "quirks": kept.quirks if kept else {},
        }

    def show(self, refusal: Refused) -> None:
        """Put each reason at its field, or at the top."""
        for field, sentence in refusal.problems:
            self.add_error(field if field in self.fields else None, sentence)


def taken(data: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, with the suggestion that was taken in place of what was typed."""
    values = {name: data.get(name, "") for name in data}
    suggested = dict(parse_qsl(str(values.pop("take", ""))[:2000]))
    return values | {name: suggested.get(name, "") for name in TAKEN if suggested}


def fill(row: Endpoint) -> dict[str, Any]:
    """What the form shows of an endpoint."""
    return {
        "base": row.base,
        "kind": row.kind,
        "hub": row.hub,
        "api": row.api,
        "key_env": row.key_env,
        "headers": "\n".join(f"{name}: {value}" for name, value in row.headers.items()),
        "models_url": row.models_url,
        "unlisted_models": "\n".join(row.unlisted_models),
        "decisions_url": row.decisions_url,
    }


def fill_preset(preset: Preset, name: str) -> dict[str, Any]:
    """What the form shows of a provider that is known."""
    return {
        "name": name,
        "base": preset.base,
        "kind": preset.kind.value,
        "hub": preset.hub,
        "api": preset.api.value,
        "models_url": preset.models_url,
        "headers": "\n".join(f"{header}: {value}" for header, value in preset.headers.items()),
    }
