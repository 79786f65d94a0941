"""The shapes of the evidence routes and listings, for checking what comes in and for the OpenAPI document.

Stricter than the framework's own: a flag is a JSON boolean and a text is a JSON string; nothing is coerced.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

MOST_CALLS = 5_000
LONGEST_CALL = 64


class Flag(serializers.BooleanField):
    """true or false."""

    default_error_messages = {"invalid": "Send true or false.", "null": "Send true or false."}

    def to_internal_value(self, data: Any) -> bool:
        """Refuses "true", 1 and the like."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Words(serializers.CharField):
    """A string, kept as it is."""

    default_error_messages = {"invalid": "Send a string."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuses numbers."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Claims(serializers.ListField):
    """A list of one-sentence claims; null counts as none."""

    default_error_messages = {"not_a_list": "Send a list of strings, one claim each."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=Words(allow_blank=True), required=False, allow_null=True, default=list, **kwargs)


class JsonObject(serializers.Serializer[Any]):
    """A body that must be one JSON object."""

    default_error_messages = {"invalid": "The body must be one JSON object."}


class VerdictBody(JsonObject):
    """What somebody thinks of one answer."""

    call = Words(max_length=LONGEST_CALL, help_text="The call id in the reply's `bench` object.")
    useful = Flag(required=False, help_text="Did the answer help? Needed, unless the verdict is withdrawn.")
    note = Words(
        required=False, allow_blank=True, allow_null=True, default="", help_text="Why. Blank keeps the earlier note."
    )
    real = Claims(help_text="Claims that turned out true. Empty keeps the earlier ones.")
    false = Claims(help_text="Claims that turned out false. Empty keeps the earlier ones.")
    withdraw = Flag(
        required=False,
        default=False,
        help_text="Take your verdict back, as if you had never judged. Goes alone with the call.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A verdict says whether the answer helped; a withdrawal says nothing else."""
        said = [field for field in ("note", "real", "false") if attrs[field]]
        if attrs["withdraw"] and ("useful" in attrs or said):
            raise serializers.ValidationError({"withdraw": "Send a call to withdraw from, and nothing else."})
        if not attrs["withdraw"] and "useful" not in attrs:
            raise serializers.ValidationError({"useful": "Send true or false."})
        return attrs


class RecordedEntry(serializers.Serializer[Any]):
    """The verdict as it stands."""

    date = serializers.DateField(help_text="The day in the server's time zone.")
    model = serializers.CharField(help_text="The model's alias.")
    task = serializers.CharField(help_text="The start of the request, and where it was asked.")
    useful = serializers.BooleanField()
    note = serializers.CharField()
    call = serializers.CharField()
    real = serializers.ListField(child=serializers.CharField())
    false = serializers.ListField(child=serializers.CharField())


class VerdictAnswer(serializers.Serializer[Any]):
    """The verdict was recorded, or stood already; or it was withdrawn."""

    ok = serializers.BooleanField()
    recorded = RecordedEntry(required=False)
    withdrawn = serializers.BooleanField(
        required=False, help_text="Instead of `recorded`: true, or false when there was no verdict of yours."
    )


class PendingBody(JsonObject):
    """Call ids to look up."""

    calls = serializers.ListField(
        child=Words(allow_blank=True),
        max_length=MOST_CALLS,
        error_messages={
            "not_a_list": "Send a list of call ids.",
            "required": "Send a list of call ids.",
            "null": "Send a list of call ids.",
            "max_length": f"Send at most {MOST_CALLS:,} call ids at once.",
        },
    )


class PendingAnswer(serializers.Serializer[Any]):
    """The ids among them that wait for a verdict, in the order they were sent."""

    pending = serializers.ListField(child=serializers.CharField())


class RecordQuery(serializers.Serializer[Any]):
    """Which record is asked for."""

    collection = Words(
        max_length=100,
        error_messages={
            "required": "Name one, as in ?collection=bench/core.",
            "blank": "Name one, as in ?collection=bench/core.",
        },
        help_text="`bench/<name>` or the bare name.",
    )
    task = Words(
        required=False,
        allow_blank=True,
        default="",
        max_length=500,
        help_text="Only verdicts on your own panels whose note contains this text.",
    )


class Counts(serializers.Serializer[Any]):
    """How one model's judged answers were found."""

    useful = serializers.IntegerField()
    notUseful = serializers.IntegerField()
    judged = serializers.IntegerField(help_text="All judged answers, those on which people are evenly split included.")
    lastAt = serializers.DateTimeField()


class RecordAnswer(serializers.Serializer[Any]):
    """Counts by alias. Aliases without a judged answer are left out."""

    collection = serializers.CharField()
    task = serializers.CharField()
    aliases = serializers.DictField(child=Counts())


class ErrorDetail(serializers.Serializer[Any]):
    """What went wrong, in words for a person."""

    message = serializers.CharField()
    type = serializers.CharField()
    code = serializers.IntegerField(help_text="The HTTP status.")


class ErrorAnswer(serializers.Serializer[Any]):
    """Every failure looks like this."""

    error = ErrorDetail()
