"""JSON schemas made acceptable to APIs that take only a part of the language: here generateContent, in
`closed_schemas` those that want closed objects.

A fitted schema names what it gave up, by place. A constraint that cannot be said goes into the description beside it,
so that the model still reads it. Names of properties are never taken for keywords. Whatever comes in, a schema comes
out: what cannot be read at all becomes an object of any kind.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

Node = dict[str, object]

SILENT = frozenset(
    ("$schema", "$id", "$defs", "definitions", "$comment", "$anchor", "examples", "deprecated", "readOnly", "writeOnly")
)
"""Keywords without which a schema allows the same values."""

_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
_KEPT = frozenset(
    (
        *("type", "format", "title", "description", "nullable", "enum", "items", "properties", "required", "anyOf"),
        *("minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength", "minimum", "maximum"),
        *("pattern", "default", "example", "propertyOrdering"),
    )
)
_FORMATS = frozenset(("enum", "date-time", "float", "double", "int32", "int64"))
_KIND_OF_WORD = {
    **dict.fromkeys(("properties", "required", "additionalProperties", "minProperties", "maxProperties"), "object"),
    **dict.fromkeys(("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"), "array"),
    **dict.fromkeys(("pattern", "format", "minLength", "maxLength"), "string"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
}
_IN_WORDS = {
    "const": "Always {}.",
    "enum": "One of {}.",
    "format": "Format: {}.",
    "pattern": "Fits the pattern {}.",
    "exclusiveMinimum": "More than {}.",
    "exclusiveMaximum": "Less than {}.",
    "minimum": "At least {}.",
    "maximum": "At most {}.",
    "multipleOf": "A multiple of {}.",
    "uniqueItems": "No two items are equal.",
    "minLength": "At least {} characters.",
    "maxLength": "At most {} characters.",
    "minItems": "At least {} items.",
    "maxItems": "At most {} items.",
    "prefixItems": "The items in order: {}.",
    "additionalProperties": "Further fields: {}.",
    "default": "Usually {}.",
    **{
        name: f"`{name}`: {{}}."
        for name in (
            *("not", "if", "then", "else", "oneOf", "allOf", "contains", "patternProperties", "propertyNames"),
            *("dependentRequired", "dependentSchemas", "minContains", "maxContains"),
        )
    },
}
_WORDS = ("title", "description")
_DEEPEST = 32
_MOST_NODES = 5_000
_LONGEST = 300


class Fitted(Struct, frozen=True):
    """A schema that can be sent, and the places where it says less than what was asked for, such as
    `properties.n.exclusiveMinimum`. `held` is False where it shuts out what its caller lets in, so that nobody should
    be held to it."""

    schema: Raw
    losses: tuple[str, ...] = ()
    held: bool = True


class Place(Struct, frozen=True):
    """Where in a schema: its path, how deep that is, and the references that led there."""

    path: str = ""
    depth: int = 0
    trail: tuple[str, ...] = ()

    def below(self, step: str) -> Place:
        return Place(f"{self.path}.{step}" if self.path else step, self.depth + 1, self.trail)

    def through(self, reference: str) -> Place:
        return Place(self.path, self.depth, (*self.trail, reference))


class Fitting:
    """One schema under conversion: its root, which references point into, and what was lost so far."""

    def __init__(self, schema: Raw) -> None:
        self._sent = schema
        self.losses: list[str] = []
        self.root: Node = {}
        try:
            self.root = msgspec.json.decode(schema, type=Node)
        except (msgspec.DecodeError, RecursionError):
            self.lose(Place(), "everything")

    def lose(self, place: Place, what: str) -> None:
        self.losses.append(place.below(what).path)

    def done(self, node: Node, *, held: bool = True) -> Fitted:
        """The result; a schema that needed no change keeps its bytes."""
        schema = self._sent if node == self.root else Raw(msgspec.json.encode(node))
        return Fitted(schema, tuple(dict.fromkeys(self.losses)), held)

    def target(self, reference: str) -> Node | None:
        """What a local reference points to; None where it leads nowhere."""
        found: object = self.root if reference.startswith("#") else None
        for step in reference.removeprefix("#").split("/"):
            if step:
                found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else None

    def describe(self, node: Node, unsaid: Node, place: Place) -> Node:
        """The node with what it cannot say added to its description."""
        told = [node.get("description")]
        for name, value in unsaid.items():
            if not _is_idle(name, value):
                self.lose(place, name)
                if value is not False and name in _IN_WORDS:
                    told.append(_IN_WORDS[name].format(_shown(value)))
        text = " ".join(str(sentence) for sentence in told if sentence)
        return {**node, "description": text} if text else node


def for_gemini(schema: Raw) -> Fitted:
    """For the schema fields of generateContent: no references, no lists of types, few keywords."""
    fitting = Fitting(schema)
    return fitting.done(_Gemini(fitting).fit(fitting.root or {"type": "object"}, Place()))


class _Gemini:
    """Rewrites one schema for generateContent."""

    def __init__(self, fitting: Fitting) -> None:
        self._fitting = fitting
        self._nodes = 0

    def fit(self, schema: object, place: Place) -> Node:
        """The schema at `place`."""
        self._nodes += 1
        if self._nodes > _MOST_NODES or place.depth > _DEEPEST:
            self._fitting.lose(place, "depth")
            return {"type": "object"}
        node, place = self._resolved(schema if isinstance(schema, dict) else {}, place)
        node = self._merged(node, place)
        variants, nothing = _variants(node)
        nullable = nothing or node.pop("nullable", None) is True
        if variants is None:
            return self._plain(node, place, nullable=nullable)
        return self._union(node, variants, place, nullable=nullable)

    def _resolved(self, node: Node, place: Place) -> tuple[Node, Place]:
        """The node with what it refers to in place of the reference. A type that holds itself is cut off."""
        while "$ref" in node:
            reference = str(node["$ref"])
            target = self._fitting.target(reference)
            rest = {name: value for name, value in node.items() if name != "$ref"}
            if target is None or reference in place.trail:
                self._fitting.lose(place, "$ref")
                told = "Nested in the same way." if target is not None else f"As {reference} says."
                return {"type": "object", "description": told, **rest}, place
            place = place.through(reference)
            node = {**target, **rest}
        return dict(node), place

    def _merged(self, node: Node, place: Place) -> Node:
        """The node with the parts of its `allOf` in it."""
        parts = node.pop("allOf", None)
        for part in parts if isinstance(parts, list) else ():
            inner, below = self._resolved(part if isinstance(part, dict) else {}, place.below("allOf"))
            self._nodes += 1
            if self._nodes > _MOST_NODES or below.depth > _DEEPEST:
                self._fitting.lose(place, "allOf")
                continue
            for name, value in self._merged(inner, below).items():
                ours = node.get(name)
                if name == "properties" and isinstance(ours, dict) and isinstance(value, dict):
                    node[name] = {**value, **ours}
                elif name == "required" and isinstance(ours, list) and isinstance(value, list):
                    node[name] = [*ours, *(entry for entry in value if entry not in ours)]
                elif node.setdefault(name, value) != value and name not in _WORDS:
                    self._fitting.lose(place, "allOf")
        return node

    def _union(self, node: Node, variants: list[object], place: Place, *, nullable: bool) -> Node:
        """Some servers take no other field beside `anyOf`: what stands beside it goes into each kind."""
        if nullable:
            node["nullable"] = True
        if len(variants) == 1:
            return self.fit(_beneath(node, variants[0]), place.below("anyOf"))
        node.pop("default", None)
        return {
            "anyOf": [self.fit(_beneath(node, kind), place.below(f"anyOf[{at}]")) for at, kind in enumerate(variants)]
        }

    def _plain(self, node: Node, place: Place, *, nullable: bool) -> Node:
        fitted: Node = {"type": self._kind(node, place)}
        unsaid: Node = {}
        if fitted["type"] == "null":
            fitted["type"], nullable = "string", True
        for name, value in node.items():
            if name == "properties" and isinstance(value, dict):
                below = place.below(name)
                fitted[name] = {key: self.fit(inner, below.below(key)) for key, inner in value.items()}
            elif name == "items" and isinstance(value, dict):
                fitted[name] = self.fit(value, place.below(name))
            elif name in ("enum", "const"):
                values = [value] if name == "const" else value
                chosen = [entry for entry in values if entry is not None] if isinstance(values, list) else []
                nullable = nullable or (isinstance(values, list) and None in values)
                if fitted["type"] == "string" and chosen and all(isinstance(entry, str) and entry for entry in chosen):
                    fitted["enum"] = chosen
                elif chosen:
                    unsaid[name] = value
            elif name not in _KEPT or (name == "format" and str(value) not in _FORMATS):
                if name not in SILENT:
                    unsaid[name] = value
            elif name not in ("type", "properties", "items", "nullable", "anyOf"):
                fitted[name] = value
        if nullable:
            fitted["nullable"] = True
        self._tidy(fitted, unsaid, place)
        return self._fitting.describe(fitted, unsaid, place)

    def _kind(self, node: Node, place: Place) -> str:
        kind = node.get("type")
        if isinstance(kind, str) and kind.lower() in _TYPES:
            return kind.lower()
        for name, value in node.items():
            if name in ("const", "enum"):
                first = next(iter(value), None) if isinstance(value, list) else value
                return next((word for word in _TYPES if _is_of(first, word) and first is not None), "string")
            if name in _KIND_OF_WORD:
                return _KIND_OF_WORD[name]
        # There is no word for "anything"; and text can hold all of it.
        self._fitting.lose(place, "any type")
        return "string"

    def _tidy(self, fitted: Node, unsaid: Node, place: Place) -> None:
        """Leaves out what servers refuse: names of fields that are not there, lists of nobody knows what."""
        properties = fitted.get("properties")
        for word in ("required", "propertyOrdering"):
            names = fitted.pop(word, None)
            if isinstance(names, list):
                there = list(properties) if isinstance(properties, dict) else []
                known = [name for name in names if name in there]
                if known:
                    fitted[word] = known
                if word == "required" and len(known) < len(names):
                    self._fitting.lose(place, word)
        if fitted["type"] == "array" and "items" not in fitted:
            fitted["items"] = {"type": "string"}
            if "prefixItems" not in unsaid:
                self._fitting.lose(place.below("items"), "any type")


def _variants(node: Node) -> tuple[list[object] | None, bool]:
    """(the kinds a value may be of, whether it may be null too); no kinds where there is only one. Takes them out of
    the node."""
    for word in ("anyOf", "oneOf"):
        found = node.pop(word, None)
        if isinstance(found, list) and found:
            kinds = [kind for kind in found if not (isinstance(kind, dict) and kind.get("type") == "null")]
            return kinds or [{"type": "null"}], len(kinds) < len(found)
    types = node.get("type")
    if not isinstance(types, list):
        return None, False
    del node["type"]
    known = [kind for kind in types if kind in _TYPES and kind != "null"]
    nothing = "null" in types
    if len(known) <= 1:
        node["type"] = known[0] if known else "null"
        return None, nothing
    shared = {name: node.pop(name) for name in list(node) if name not in _WORDS and name != "nullable"}
    return [_of_kind(shared, kind) for kind in known], nothing


def _of_kind(shared: Node, kind: str) -> Node:
    """What is said of all kinds of value, as far as it bears on one."""
    told = {"number" if kind == "integer" else kind, ""}
    node = {name: value for name, value in shared.items() if _KIND_OF_WORD.get(name, "") in told}
    values = node.get("enum")
    if isinstance(values, list):
        node["enum"] = [value for value in values if _is_of(value, kind)]
    return {"type": kind, **node}


def _beneath(rest: Node, kind: object) -> Node:
    """A kind of value with what stands beside all kinds."""
    own = kind if isinstance(kind, dict) else {}
    joined = {**rest, **own}
    for word in ("required", "properties"):
        above, below = rest.get(word), own.get(word)
        if isinstance(above, list) and isinstance(below, list):
            joined[word] = [*above, *below]
        elif isinstance(above, dict) and isinstance(below, dict):
            joined[word] = {**above, **below}
    return joined


def _is_of(value: object, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer" | "number":
            return isinstance(value, int if kind == "integer" else int | float) and not isinstance(value, bool)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case _:
            return value is None


def _is_idle(name: str, value: object) -> bool:
    """Does this keyword with this value forbid nothing?"""
    if name == "additionalProperties":
        return value is True or value == {}
    return value is None or (name == "uniqueItems" and value is False)


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()[:_LONGEST]
