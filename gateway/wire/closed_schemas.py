"""JSON schemas for APIs that hold a model to them: every object closed, and only some constraints.

Works like `schemas`: the schema to send, the places where it says less, the rest told in descriptions. A schema that
lets in fields of any name or values of any kind says nothing any more when it is closed; that is told too (`held`).
"""

from __future__ import annotations

from msgspec import Raw

from gateway.wire.schemas import SILENT, Fitted, Fitting, Node, Place

_ANTHROPIC = frozenset(
    (
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
        *("maxItems", "uniqueItems", "minProperties", "maxProperties", "patternProperties", "propertyNames", "not"),
        *("if", "then", "else", "dependentRequired", "dependentSchemas", "contains", "prefixItems"),
    )
)
_STRICT = frozenset(
    (
        *("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "default"),
        *("patternProperties", "propertyNames", "minProperties", "maxProperties", "uniqueItems", "contains"),
        *("prefixItems", "unevaluatedProperties", "unevaluatedItems", "minContains", "maxContains"),
    )
)
_MAPS = ("properties", "$defs", "definitions")
_LISTS = ("anyOf", "allOf", "oneOf")
_IDLE = SILENT - set(_MAPS)
_SAYS_WHAT = ("type", "anyOf", "allOf", "$ref", "enum", "const")
_FORMATS = frozenset(("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"))
_MOST_OF_LEAST_ITEMS = 1
_DEEPEST = 100


def for_openai_strict(schema: Raw) -> Fitted:
    """For strict functions and answers of OpenAI, where every field is required: one that was optional may be null
    instead."""
    fitting = Fitting(schema)
    closing = _Closing(fitting, _STRICT, _FORMATS, require_all=True)
    node = closing.close(fitting.root or _ANY, Place())
    return fitting.done(node, held=closing.held and node.get("type") == "object" and "anyOf" not in node)


def for_anthropic(schema: Raw) -> Fitted:
    """For strict tools and answers of Anthropic."""
    fitting = Fitting(schema)
    closing = _Closing(fitting, _ANTHROPIC, _FORMATS | {"uri"}, require_all=False)
    node = closing.close(fitting.root or _ANY, Place())
    return fitting.done(node, held=closing.held)


_ANY: Node = {"type": "object"}


class _Closing:
    """Closes one schema. `held` says whether it still lets in what it is for."""

    def __init__(self, fitting: Fitting, unsaid: frozenset[str], formats: frozenset[str], *, require_all: bool) -> None:
        self._fitting = fitting
        self._unsaid = unsaid
        self._formats = formats
        self._require_all = require_all
        self.held = True

    def close(self, schema: object, place: Place) -> Node:
        """The schema at `place`, its objects closed."""
        if not isinstance(schema, dict) or place.depth > _DEEPEST:
            self.held = False
            return {}
        node: Node = {}
        unsaid: Node = {}
        for name, value in schema.items():
            below = place.below(name)
            if name == "oneOf" and name in self._unsaid and "anyOf" not in schema and isinstance(value, list):
                node["anyOf"] = [self.close(kind, below.below(str(at))) for at, kind in enumerate(value)]
            elif name in self._unsaid or self._is_beyond(name, value):
                unsaid[name] = value
            elif name in _IDLE:
                continue
            elif name in _MAPS and isinstance(value, dict):
                node[name] = {key: self.close(inner, below.below(key)) for key, inner in value.items()}
            elif name in _LISTS and isinstance(value, list):
                node[name] = [self.close(kind, below.below(str(at))) for at, kind in enumerate(value)]
            elif name == "items":
                node[name] = self.close(value, below)
            else:
                node[name] = value
        if node.get("type") == "object" or "properties" in node:
            self._shut(node, unsaid, place)
        self.held = self.held and any(word in node for word in _SAYS_WHAT)
        return self._fitting.describe(node, unsaid, place)

    def _is_beyond(self, name: str, value: object) -> bool:
        """Is this a value of a known keyword that these APIs do not take?"""
        if name == "format":
            return not isinstance(value, str) or value not in self._formats
        return name == "minItems" and not self._require_all and value not in (0, _MOST_OF_LEAST_ITEMS)

    def _shut(self, node: Node, unsaid: Node, place: Place) -> None:
        properties = node.get("properties")
        further = node.get("additionalProperties", False)
        # Without a word about fields, an object is open; at the root `{}` tells of a function that takes nothing.
        named = bool(properties) or (place.depth == 0 and properties == {})
        if (isinstance(further, dict) and further) or not (named or node.get("additionalProperties") is False):
            self.held = False
        if further is not False:
            unsaid["additionalProperties"] = further
        node["additionalProperties"] = False
        if not self._require_all or not isinstance(properties, dict):
            return
        required = node.get("required")
        if isinstance(required, list) and sorted(map(str, required)) == sorted(properties):
            return
        for name, inner in properties.items():
            if not isinstance(required, list) or name not in required:
                properties[name] = _or_null(inner)
                self._fitting.lose(place.below("properties").below(name), "optional")
        node["required"] = list(properties)


def _or_null(node: Node) -> Node:
    kind = node.get("type")
    if isinstance(kind, str) and "enum" not in node and "const" not in node:
        return node if kind == "null" else {**node, "type": [kind, "null"]}
    if isinstance(kind, list) and "enum" not in node and "const" not in node:
        return {**node, "type": kind if "null" in kind else [*kind, "null"]}
    return {"anyOf": [node, {"type": "null"}]}
