"""Shadows on the pages: the line below the turn, both proposals side by side, and the verdict."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.shadows import DEEPEST, read_arguments
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.dashboard.test_conversation import words
from benchwarmers.tests.pages.seed import judge
from benchwarmers.tests.pages.shades import Proposes, make_shadow
from benchwarmers.tests.pages.talks import Took, add_turn, make_talk
from collections_app.models import Evidence, Verdict

As = Callable[[str], Client]
HTMX = {"HX-Request": "true"}
SAYS = Proposes("I would **look** first.", (("Read", '{"path":"a.py","n":[1,2]}'),), "Where is the *bug*?")
BESIDE = Proposes("Fixing it.", (("Edit", '{"text":"one\\ntwo"}'), ("Stop", "")))


@pytest.fixture
def talk() -> str:
    """Three turns of ben's; the second was shadowed by wren."""
    made = make_talk(NOON, "core", "Fix the build", [Took("osprey", tools=("Edit",))] * 3, owner="ben")
    make_shadow(made, 2, "wren", SAYS, BESIDE, why="its work is oldest")
    return made


def sides(page: str) -> tuple[str, str]:
    """The words of the member's card and of the shadow's."""
    member, shadow = re.findall(r"<article.*?</article>", page, re.DOTALL)
    return words(member), words(shadow)


def lines(page: str) -> list[str]:
    return [words(one) for one in re.findall(r'<tr class="turn-shadow">.*?</summary>', page, re.DOTALL)]


@pytest.mark.parametrize(("method", "rest"), [("get", ""), ("post", "verdict")])
def test_the_shadow_of_anothers_conversation_does_not_exist(as_person: As, talk: str, method: str, rest: str) -> None:
    User.objects.create_user("cleo").groups.add(*User.objects.get(username="ben").groups.all())
    for who, where in (("cleo", f"{talk}/shadows/2"), ("ben", f"{talk}/shadows/1"), ("ben", "r-unknown/shadows/2")):
        answer = getattr(as_person(who), method)(f"/conversations/{where}/{rest}", {"useful": "yes"})
        assert answer.status_code == 404, (who, where)
    assert not Verdict.objects.exists()


def test_the_line_stands_below_its_turn_and_the_list_counts(as_person: As, talk: str) -> None:
    client = as_person("ben")
    page = client.get(f"/conversations/{talk}/").content.decode()
    assert lines(page) == ["In the shadow: wren , answered, 9.4 s not judged"]
    order = re.findall(r'class="turn-(?:number">(\d)|(shadow)">)', page)
    assert order == [("3", ""), ("2", ""), ("", "shadow"), ("1", "")]
    assert f'href="/conversations/{talk}/shadows/2/"' in page
    assert "Shadows 1 Tokens" in words(page)
    assert "look" not in page  # fetched when it is opened
    make_talk(NOON, "core", "without", [Took("wren")], owner="ben", number=1)
    listed = words(client.get("/conversations/").content.decode())
    assert "3 tool calls 1 shadow " in listed
    assert listed.count("shadow") == 1


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_both_proposals_stand_side_by_side(as_person: As, talk: str, headers: dict[str, str]) -> None:
    page = as_person("ben").get(f"/conversations/{talk}/shadows/2/", headers=headers).content.decode()
    assert ("<html" in page) is not bool(headers)
    member, shadow = sides(page)
    assert member.startswith("osprey answered the turn 4.2 s answered Fixing it. Called Edit text one two Stop")
    assert "one\ntwo</pre>" in page
    assert "without arguments 4" in member
    assert "never run" not in member
    assert shadow.startswith(
        "wren in the shadow, unseen by the agent 9.4 s answered Chosen: its work is oldest. Reasoning"
    )
    assert "I would look first. Would have called never run Read path &quot;a.py&quot; n [ 1, 2 ]" in shadow
    assert f"3 100 in, 212 out, first after 1.9 s {talk}.shadow2" in shadow
    assert "<strong>look</strong>" in page
    assert "<em>bug</em>" in page


def test_a_shadow_that_failed_says_why(as_person: As, talk: str) -> None:
    make_shadow(talk, 1, "quill-2", Proposes(), status="timeout", error="no answer within 60 s")
    page = as_person("ben").get(f"/conversations/{talk}/shadows/1/").content.decode()
    _, shadow = sides(page)
    assert "timed out" in shadow
    assert "no answer within 60 s" in shadow
    assert "tokens not known" in shadow


def test_what_models_wrote_is_text(as_person: As, talk: str) -> None:
    evil = "<script>alert(1)</script>"
    call = (evil, f'{{"{evil}": "{evil}"}}')
    make_shadow(talk, 1, "wren", Proposes(evil, (call, (evil, evil)), evil), why=evil, status="error", error=evil)
    page = as_person("ben").get(f"/conversations/{talk}/shadows/1/").content.decode()
    assert evil not in page
    assert page.count("&lt;script&gt;alert(1)") == 9


@pytest.mark.parametrize(
    ("written", "arguments", "loose"),
    [
        ("", [], ""),
        ("{}", [], ""),
        ('{"a":"b","c":1.50}', [("a", '"b"'), ("c", "1.50")], ""),
        ('{"a":{"b":[true]}}', [("a", '{\n  "b": [\n    true\n  ]\n}')], ""),
        ('{"a":"x\\n\\ty"}', [("a", "x\n\ty")], ""),
        ('{"a":"C:\\\\new"}', [("a", "C:\\new")], ""),
        ('{"a": "cut of', [], '{"a": "cut of'),
        ("[1]", [], "[1]"),
        ('{"a":"\\ud800"}', [], '{"a":"\\ud800"}'),
        ("[" * (DEEPEST + 1), [], "[" * (DEEPEST + 1)),
        ('{"a":' * 50_000, [], '{"a":' * 50_000),
    ],
)
def test_arguments_are_laid_out_by_name_or_shown_as_written(
    written: str, arguments: list[tuple[str, str]], loose: str
) -> None:
    assert read_arguments(written) == (arguments, loose)


def test_a_verdict_by_form_is_recorded_and_stays_on_the_page(as_person: As, talk: str) -> None:
    address = f"/conversations/{talk}/shadows/2/"
    answer = as_person("ben").post(f"{address}verdict", {"useful": "yes", "note": "Better.", "real": "one"})
    assert answer["Location"] == address
    verdict = Verdict.objects.get()
    assert (verdict.call, verdict.judge_name, verdict.useful) == (f"{talk}.shadow2", "ben", True)
    judged = Evidence.objects.get(call=verdict.call, current=True)
    assert (judged.kind, judged.useful, judged.real_claims) == ("shadow", 1.0, 1)
    assert lines(as_person("ben").get(f"/conversations/{talk}/").content.decode())[0].endswith("useful")


def test_a_verdict_by_script_returns_the_new_card_and_the_new_tally(as_person: As, talk: str) -> None:
    page = as_person("ben").post(f"/conversations/{talk}/shadows/2/verdict", {"useful": "no"}, headers=HTMX)
    told = page.content.decode()
    assert told.lstrip().startswith('<article class="card card-shadow" id="shadow-2"')
    assert re.search(r'id="no-shadow-2"[^>]* aria-pressed="true"', told)
    assert '<span id="said-shadow-2" hx-swap-oob="true">' in told


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_a_verdict_without_a_choice_is_refused_and_keeps_the_words(
    as_person: As, talk: str, headers: dict[str, str]
) -> None:
    answer = as_person("ben").post(f"/conversations/{talk}/shadows/2/verdict", {"note": "kept"}, headers=headers)
    assert answer.status_code == 422
    assert "Choose useful or not useful." in answer.content.decode()
    assert "kept</textarea>" in answer.content.decode()


def test_a_viewer_sees_verdicts_but_may_send_none(as_person: As) -> None:
    made = make_talk(NOON, "core", "mine", [Took("osprey")], owner="zoe")
    make_shadow(made, 1, "wren", SAYS)
    judge("maya", f"{made}.shadow1", True, note="good one")
    client = as_person("zoe")
    page = client.get(f"/conversations/{made}/shadows/1/").content.decode()
    assert "good one" in page
    assert 'name="useful"' not in page
    assert client.post(f"/conversations/{made}/shadows/1/verdict", {"useful": "yes"}).status_code == 404


def test_a_late_shadow_is_put_below_its_turn_and_told_once(as_person: As, talk: str) -> None:
    client, address = as_person("ben"), f"/conversations/{talk}/live/"
    page = client.get(f"/conversations/{talk}/").content.decode()

    def shown(page: str) -> dict[str, str]:
        found = {name: re.search(rf'name="{name}" value="([^"]*)"', page) for name in ("after", "shadowed")}
        return {name: one[1] for name, one in found.items() if one}

    before = shown(page)
    assert lines(client.get(address, before, headers=HTMX).content.decode()) == []
    make_shadow(talk, 1, "quill-2", SAYS)
    judge("maya", f"{talk}.shadow2", True)
    loud = client.get(address, before, headers=HTMX).content.decode()
    first = re.findall(r'id="turn-(\d+)"', page)[-1]
    assert f'hx-swap-oob="afterend:#turn-{first}"' in loud
    assert lines(loud) == ["In the shadow: quill-2 , answered, 9.4 s not judged"]
    assert re.findall(r'<span id="(said-[^"]+)" hx-swap-oob="true"><span class="tally tally-(\w+)', loud) == [
        ("said-shadow-2", "yes")
    ]
    assert lines(client.get(address, before | shown(loud), headers=HTMX).content.decode()) == []


def test_a_shadow_below_a_turn_that_was_tried_before_stands_after_that(as_person: As) -> None:
    made = make_talk(NOON, "core", "t", [Took("osprey", tried=("wren",))], owner="ben")
    page = as_person("ben").get(f"/conversations/{made}/").content.decode()
    after = re.search(r'name="after" value="(\d+)"', page)
    assert after
    make_shadow(made, 1, "wren", SAYS)
    sent = {"after": after[1], "shadowed": ""}
    loud = as_person("ben").get(f"/conversations/{made}/live/", sent, headers=HTMX).content.decode()
    assert f'hx-swap-oob="afterend:#more-{after[1]}"' in loud


def test_a_new_turn_brings_its_shadow_along(as_person: As, talk: str) -> None:
    page = as_person("ben").get(f"/conversations/{talk}/").content.decode()
    after = re.search(r'name="after" value="(\d+)"', page)
    assert after
    add_turn(talk, Took("osprey"), NOON + timedelta(minutes=5))
    make_shadow(talk, 4, "wren", SAYS)
    loud = as_person("ben").get(f"/conversations/{talk}/live/", {"after": after[1]}, headers=HTMX).content.decode()
    new = loud[loud.index("afterbegin:#turns") :].split("</template>")[0]
    assert len(lines(new)) == 1
    assert lines(loud).count(lines(new)[0]) == 2  # the third's line and the late one of turn 2


def test_two_turns_of_one_number_have_one_shadow_at_the_newer(as_person: As, talk: str) -> None:
    from gateway.models import Turn

    newest = Turn.objects.order_by("-pk")[0]
    Turn.objects.filter(pk=newest.pk).update(number=2)
    page = as_person("ben").get(f"/conversations/{talk}/").content.decode()
    assert re.findall(r'class="turn-(?:number">(\d)|(shadow)">)', page)[1] == ("", "shadow")
    assert len(lines(page)) == 1


def test_many_shadows_cost_no_query_each_and_no_proposal(
    as_person: As, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = make_talk(NOON, "core", "long", [Took("osprey")] * 40, owner="ben")
    make_shadow(made, 1, "wren", SAYS)
    client = as_person("ben")
    client.get(f"/conversations/{made}/")
    with django_assert_num_queries(12):
        client.get(f"/conversations/{made}/")
    for number in range(2, 41):
        make_shadow(made, number, "wren", SAYS)
    with django_assert_num_queries(12) as asked:
        assert len(lines(client.get(f"/conversations/{made}/").content.decode())) == 40
    assert not [one for one in asked.captured_queries if '"proposal"' in one["sql"]]
