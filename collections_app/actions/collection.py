"""Makes, changes and removes collections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User

from collections_app.actions.alias import note_removed
from collections_app.actions.endpoint import NAME_RULE
from collections_app.actions.key_rules import find_team
from collections_app.actions.language_model import resolve_alias
from collections_app.actions.seats import members_of
from collections_app.journal import journal, require
from collections_app.models import Collection, LanguageModel, ModelAlias, Seating, Setting
from collections_app.refusal import NotThere, Problems
from gateway.canon.kinds import ModelRole, ReplyKind, Shape
from gateway.canon.names import PREFIX, SLUG, SUFFIXES, TAG

TOPIC = "collections"
SHAPES = tuple(shape.value for shape in Shape if shape is not Shape.IMAGE)
LONGEST_DESCRIPTION = 300
MOST_TAGS = 8
MOST_DAILY = 100_000
SHADOWS = ("members", "explorers")


def do_save_collection(
    *,
    actor: User | None,
    name: str,
    members: Sequence[str],
    shape: str = "",
    reply: str = "",
    merger: str = "",
    description: str = "",
    tags: Sequence[str] | str = (),
    ranking: str = "",
    cooldown: str = "",
    on_disconnect: str = "",
    shadow: Mapping[str, Any] | None = None,
    max_explorers: int | None = None,
    team: str = "",
) -> Collection:
    """Make the collection or make it be exactly this. `name` may carry `bench/`; `tags` may be a comma list.

    An empty shape is decided per request, an empty merger chosen at run time; blanks elsewhere are the defaults. One
    with a team is there for its members alone.

    :raises Refused: with every broken rule.
    """
    name = name.strip().removeprefix(PREFIX)
    row = Collection.objects.filter(name=name).select_related("merger", "team").first()
    require(actor, f"collections_app.{'change' if row else 'add'}_collection", "change collections")
    problems = Problems()
    problems.check(SLUG.fullmatch(name) is not None, "name", NAME_RULE)
    if row is None:
        _check_no_alias(name, problems)
    seated = _read_members(members, problems)
    fields: dict[str, Any] = {
        "shape": shape.strip(),
        "reply": reply.strip() or ReplyKind.ALL.value,
        "description": " ".join(description.split()),
        "tags": _read_tags(tags),
        "ranking": ranking.strip() or "record",
        "cooldown": cooldown.strip() or "substitute",
        "on_disconnect": on_disconnect.strip() or "finish",
        "shadow": dict(shadow or {}),
        "max_explorers": max_explorers,
    }
    _check(fields, problems)
    merging, owning = _read_merger(merger.strip(), problems), find_team(team, problems)
    problems.refuse()
    after = {
        **fields,
        "merger": merging.alias if merging else "",
        "team": owning.name if owning else "",
        "members": [model.alias for model in seated],
    }
    with journal(actor, TOPIC) as log:
        if row is None:
            row = Collection.objects.create(name=name, merger=merging, team=owning, **fields)
            log.note("collection", name, new=after)
            _seat(row, seated)
            return row
        before = {field: getattr(row, field) for field in fields}
        before |= {
            "merger": row.merger.alias if row.merger else "",
            "team": row.team.name if row.team else "",
            "members": members_of(row),
        }
        if log.note_fields("collection", name, before, after):
            for field, value in fields.items():
                setattr(row, field, value)
            row.merger, row.team = merging, owning
            row.save()
        if before["members"] != after["members"]:
            _seat(row, seated)
    return row


def do_remove_collection(*, actor: User | None, name: str) -> None:
    """Remove the collection and its aliases. What was asked of it stays on record under its name."""
    name = name.removeprefix(PREFIX)
    row = Collection.objects.filter(name=name).first()
    require(actor, "collections_app.delete_collection", "remove collections")
    if row is None:
        raise NotThere([("collection", f"There is no collection “{name}”.")])
    with journal(actor, TOPIC) as log:
        for alias in row.aliases.select_related("target"):
            note_removed(log, alias)
        log.note("collection", name, old={"members": members_of(row)})
        row.delete()


def _check_no_alias(name: str, problems: Problems) -> None:
    """A collection's own name wins over an alias, which would then lead nowhere any more."""
    asked = [name, *(f"{name}:{suffix}" for suffix in SUFFIXES)]
    for alias in ModelAlias.objects.filter(name__in=asked).select_related("target"):
        problems.add("name", f"{alias.name} is an alias of {alias.full_name}; remove it first, or choose another name.")


def _seat(row: Collection, models: Sequence[LanguageModel]) -> None:
    row.seatings.all().delete()
    Seating.objects.bulk_create(
        Seating(collection=row, language_model=model, place=place) for place, model in enumerate(models, start=1)
    )


def _read_members(members: Sequence[str], problems: Problems) -> list[LanguageModel]:
    wanted = list(dict.fromkeys(alias.strip() for alias in members if alias.strip()))
    room = Setting.load().max_calls
    problems.check(bool(wanted), "members", "A collection has at least one member.")
    problems.check(
        len(wanted) <= room,
        "members",
        f"A collection has at most {room} members (the setting max_calls); this one has {len(wanted)}.",
    )
    by_alias = {row.alias: row for row in LanguageModel.objects.filter(alias__in=wanted)}
    for alias in wanted:
        problems.add("members", _seat_problem(alias, by_alias.get(alias)))
    return [by_alias[alias] for alias in wanted if alias in by_alias]


def _read_merger(alias: str, problems: Problems) -> LanguageModel | None:
    if not alias:
        return None
    row = LanguageModel.objects.filter(alias=alias).first()
    problem = _seat_problem(alias, row)
    if not problem and row is not None and row.role == ModelRole.IMAGE:
        problem = f"{alias} makes images; a merger is a model that writes."
    problems.add("merger", problem)
    return row


def _seat_problem(alias: str, row: LanguageModel | None) -> str:
    if row is None:
        now = resolve_alias(alias)
        return f"{alias} is now called {now}." if now != alias else f"There is no model “{alias}”."
    if row.retired:
        return f"{alias} is retired; restore it first, or leave it out."
    if row.role == ModelRole.DECISION:
        return f"{alias} is a decision model, which is never seated."
    return ""


def _read_tags(tags: Sequence[str] | str) -> list[str]:
    words = tags.split(",") if isinstance(tags, str) else tags
    return list(dict.fromkeys(word.strip().lower() for word in words if word.strip()))


def _check(fields: dict[str, Any], problems: Problems) -> None:
    problems.check(
        not fields["shape"] or fields["shape"] in SHAPES,
        "shape",
        f"The shape is empty (decided per request) or one of {', '.join(SHAPES)}.",
    )
    for field, known in (
        ("reply", tuple(ReplyKind)),
        ("ranking", tuple(value for value, _ in Collection.RANKINGS)),
        ("cooldown", tuple(value for value, _ in Collection.COOLDOWNS)),
        ("on_disconnect", tuple(value for value, _ in Collection.DISCONNECTS)),
    ):
        problems.check(fields[field] in known, field, f"{field} is one of {', '.join(known)}.")
    problems.check(
        len(fields["description"]) <= LONGEST_DESCRIPTION,
        "description",
        f"A description has at most {LONGEST_DESCRIPTION} characters.",
    )
    problems.check(len(fields["tags"]) <= MOST_TAGS, "tags", f"A collection has at most {MOST_TAGS} tags.")
    for tag in fields["tags"]:
        problems.check(
            TAG.fullmatch(tag) is not None,
            "tags",
            f"The tag {tag!r} must have 1 to 24 letters, digits and hyphens, the first no hyphen.",
        )
    most = fields["max_explorers"]
    problems.check(
        most is None or (type(most) is int and 0 <= most <= 2), "max_explorers", "max_explorers is 0, 1 or 2."
    )
    _check_shadow(fields["shadow"], problems)


def _check_shadow(shadow: dict[str, Any], problems: Problems) -> None:
    for name, value in shadow.items():
        if name == "share":
            fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
            problems.check(fits, "shadow", "The share of shadowed turns is a number from 0 to 1.")
        elif name == "who":
            problems.check(value in SHADOWS, "shadow", f"who answers in the shadow is one of {', '.join(SHADOWS)}.")
        elif name == "daily":
            fits = type(value) is int and 0 <= value <= MOST_DAILY
            problems.check(fits, "shadow", f"The daily cap of shadow seats is a whole number up to {MOST_DAILY}.")
        else:
            problems.add("shadow", f"{name} is no part of shadow; known are share, who and daily.")
