"""A request in the gateway's own words, whatever API it came in by.

An Ask is a pure value: two asks with the same content are equal. It holds all that any of the formats can express, so
that a format is read once and written once and no pair of formats needs a translator of its own.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

Role = Literal["system", "developer", "user", "assistant", "tool"]
ReplyMode = Literal["all", "merged", "route", "choices"]


class Text(Struct, frozen=True, tag="text"):
    """Words. `cache` is a provider's cache mark on this part, kept as the caller wrote it."""

    text: str
    cache: Raw | None = None


class Media(Struct, frozen=True, tag="media"):
    """An image, a sound or a document: by `url` (http or https), by base64 `data`, or by a provider's `file_id`.

    `mime` is empty when the format did not say; `name` and `detail` are empty unless given.
    """

    kind: Literal["image", "audio", "document"]
    url: str = ""
    data: str = ""
    file_id: str = ""
    mime: str = ""
    name: str = ""
    detail: str = ""
    cache: Raw | None = None


class Thought(Struct, frozen=True, tag="thought"):
    """A model's reasoning. `seal` is opaque state (signature, encrypted content) owed to the model that made it and to
    no other."""

    text: str = ""
    seal: Raw | None = None


class Refusal(Struct, frozen=True, tag="refusal"):
    """A model's declared refusal, where a format has a field for it."""

    text: str


class ToolCall(Struct, frozen=True, tag="tool_call"):
    """A call a model made. `arguments` is the raw text it wrote: JSON for a function, free text for a custom tool."""

    id: str
    name: str
    arguments: str
    custom: bool = False
    seal: Raw | None = None
    cache: Raw | None = None


class ToolResult(Struct, frozen=True, tag="tool_result"):
    """What running a call gave back. `name` is the tool's name where a format sends it."""

    call_id: str
    parts: tuple[Text | Media, ...] = ()
    error: bool = False
    name: str = ""
    cache: Raw | None = None


Part = Text | Media | Thought | Refusal | ToolCall | ToolResult


class Turn(Struct, frozen=True):
    """One turn of a conversation. `name` is the participant's name where a format has one; `extras` are the message's
    own fields that canon has no word for, as raw JSON, treated like those of the Ask."""

    role: Role
    parts: tuple[Part, ...] = ()
    name: str = ""
    extras: dict[str, Raw] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The turn's words: its text parts joined by a blank line."""
        parts = self.parts
        if len(parts) == 1 and type(parts[0]) is Text:
            return parts[0].text
        return "\n\n".join([part.text for part in parts if type(part) is Text])


class Tool(Struct, frozen=True):
    """A tool on offer. `parameters` is its JSON schema as sent; `grammar` belongs to custom tools; `vendor` names a
    tool that the provider itself runs, with its definition in `definition`. `extras` are the tool's own fields that
    canon has no word for, treated like those of the Ask."""

    name: str
    description: str = ""
    parameters: Raw | None = None
    strict: bool | None = None
    kind: Literal["function", "custom", "vendor"] = "function"
    grammar: Raw | None = None
    definition: Raw | None = None
    cache: Raw | None = None
    extras: dict[str, Raw] = field(default_factory=dict)


class ToolChoice(Struct, frozen=True):
    """How tools may be used: `named` forces the tool `name`; `parallel` is None when the caller did not say."""

    mode: Literal["auto", "none", "required", "named"] = "auto"
    name: str = ""
    parallel: bool | None = None


class OutputFormat(Struct, frozen=True):
    """Structured output: any JSON object, or JSON that fits `schema`."""

    kind: Literal["json_object", "json_schema"]
    name: str = ""
    schema: Raw | None = None
    strict: bool | None = None
    description: str = ""


class Knobs(Struct, frozen=True):
    """Sampling settings. None means the caller did not set it."""

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    reasoning_effort: str = ""
    reasoning_tokens: int | None = None


class BenchField(Struct, frozen=True, forbid_unknown_fields=False):
    """The caller's own `bench` object, for this one request. Unknown keys are ignored so that older servers accept
    newer clients.

    `only` names the models that sit, and no others. `seats` is how many may sit in all, `explorers` how many of them
    explore, `timeout_s` the seconds a seat may take, `quorum` how many seats must be done before the answer is told;
    the rest is recorded all the same. `background` asks for the panel's id at once. `on_disconnect` says what becomes
    of the seats when the caller leaves.
    """

    reply: ReplyMode | UnsetType = UNSET
    strict: bool = False
    only: tuple[str, ...] = ()
    seats: Annotated[int, Meta(ge=1, le=10)] | None = None
    explorers: Annotated[int, Meta(ge=0, le=10)] | None = None
    timeout_s: Annotated[float, Meta(gt=0)] | None = None
    quorum: Annotated[int, Meta(ge=1)] | None = None
    background: bool = False
    on_disconnect: Literal["finish", "cancel"] | None = None


class Ask(Struct, frozen=True):
    """One request.

    `protocol` is the wire it came in by; `stream_array` asks for the stream as one JSON array, where the format has
    that beside its usual framing. `extras` are the fields of that protocol which canon has no word for, as raw
    JSON: they go out again to a member that speaks the same protocol and are named in the receipt otherwise.
    """

    protocol: str
    model: str
    turns: tuple[Turn, ...]
    stream: bool = False
    include_usage: bool = False
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice = ToolChoice()
    output: OutputFormat | None = None
    knobs: Knobs = Knobs()
    nominated: tuple[str, ...] = ()
    bench: BenchField = BenchField()
    extras: dict[str, Raw] = field(default_factory=dict)
    stream_array: bool = False

    @property
    def agentic(self) -> bool:
        """True when the request carries tools, tool calls or tool results: work for one member, not for a panel."""
        if self.tools:
            return True
        for turn in self.turns:
            for part in turn.parts:
                if type(part) is ToolCall or type(part) is ToolResult:
                    return True
        return False

    @property
    def media(self) -> tuple[Media, ...]:
        """Every image, sound and document in the turns, results of tools included, in order."""
        found: list[Media] = []
        for turn in self.turns:
            for part in turn.parts:
                if type(part) is Media:
                    found.append(part)
                elif type(part) is ToolResult:
                    found.extend(inner for inner in part.parts if isinstance(inner, Media))
        return tuple(found)
