"""JSON schemas for APIs that hold a model to them: every object closed, and only some constraints.

Works like `schemas`: the schema to send, the places where it says less, the rest told in descriptions.
"""

from __future__ import annotations

from msgspec import Raw

from gateway.wire.schemas import Fitted, Fitting, Node, Place

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
_DEEPEST = 100


def for_openai_strict(schema: Raw) -> Fitted:
    """For strict functions and answers of OpenAI, where every field is required: one that was optional may be null
    instead."""
    fitting = Fitting(schema)
    return fitting.done(_Closing(fitting, _STRICT, require_all=True).close(fitting.root or _ANY, Place()))


def for_anthropic(schema: Raw) -> Fitted:
    """For strict tools and answers of Anthropic."""
    fitting = Fitting(schema)
    return fitting.done(_Closing(fitting, _ANTHROPIC, require_all=False).close(fitting.root or _ANY, Place()))


_ANY: Node = {"type": "object"}


class _Closing:
    def __init__(self, fitting: Fitting, unsaid: frozenset[str], *, require_all: bool) -> None:
        self._fitting = fitting
        self._unsaid = unsaid
        self._require_all = require_all

    def close(self, schema: object, place: Place) -> Node:
        """The schema at `place`, its objects closed."""
        if not isinstance(schema, dict) or place.depth > _DEEPEST:
            return {}
        node: Node = {}
        unsaid: Node = {}
        for name, value in schema.items():
            below = place.below(name)
            if name == "oneOf" and name in self._unsaid and "anyOf" not in schema and isinstance(value, list):
                node["anyOf"] = [self.close(kind, below.below(str(at))) for at, kind in enumerate(value)]
            elif name in self._unsaid:
                unsaid[name] = value
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
        return self._fitting.describe(node, unsaid, place)

    def _shut(self, node: Node, unsaid: Node, place: Place) -> None:
        further = node.get("additionalProperties", False)
        if further is not False:
            unsaid["additionalProperties"] = further
        node["additionalProperties"] = False
        properties = node.get("properties")
        if not self._require_all or not isinstance(properties, dict):
            return
        required = node.get("required")
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
