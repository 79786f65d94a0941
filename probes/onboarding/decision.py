"""Models that answer typed questions and do not chat: how they are told apart, asked and registered.

They are asked before they are registered, so that a name is never used up by one that does not work.
"""

from __future__ import annotations

import re
from typing import Any, Final

from collections_app.actions.decision import do_save_decision_model
from collections_app.actions.language_model import connection_of, names_in_use
from collections_app.models import DecisionModel, Endpoint
from gateway.canon.ask import Ask, Knobs, Text, Turn
from gateway.canon.decision import Choice, Decided, DecisionPath, Noul, Question, QuestionType, Score
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import JobState
from gateway.engine.bench import Bench
from gateway.engine.call import run_call
from gateway.engine.loading import endpoint_view
from gateway.engine.order import Order, Outcome
from gateway.engine.picker_call import DecisionOrder, decide
from gateway.engine.snapshot import DecisionView, ModelView
from probes.asking import PROBER
from probes.listing_forms import Listed
from probes.onboarding.alias import alias_for
from probes.onboarding.items import Mode
from probes.onboarding.taking import Found, GivenUp, Taking, ends
from probes.side import side

PURPOSE: Final = "onboarding"
STATE: Final = "The kettle has boiled, the tea is in the pot, and two cups stand on the table."
QUESTIONS: Final[dict[QuestionType, Question]] = {
    QuestionType.NOUL: Noul("Is somebody about to have tea?"),
    QuestionType.CHOICE: Choice("What is this about?", {"tea": "a hot drink", "trains": "travel by rail"}),
    QuestionType.SCORE: Score("How ready is the tea?", ("not begun", "under way", "ready to be poured")),
}
_NAMES_IT: Final = re.compile(r"decisions?[ -]?(?:api|model|endpoint)|/decisions\b|system-?one", re.I)
_NO_PASSAGE: Final = re.compile(r"pass-?through", re.I)
_CHAT_S: Final = 60.0
_HI: Final = Ask("bench", "", (Turn("user", (Text("Hi"),)),), knobs=Knobs(max_tokens=1), stream=True)


def decides(taking: Taking, listed: Listed) -> bool:
    """Whether this is a decision model: by its listing, else by what it says to a chat of one token."""
    if listed.decisions is not None or not taking.endpoint.decisions_url:
        return bool(listed.decisions)
    kept = taking.at_work.found("chat")
    if kept is None:
        fault = _chat(taking).fault
        kept = {"refused": fault is not None and bool(_NAMES_IT.search(f"{fault.message} {fault.body}"))}
        taking.at_work.keep_part("chat", kept)
    return bool(kept["refused"])


def take_on(taking: Taking, listed: Listed) -> Found:
    """Asks it one question of each type and registers it with those that it answers. Raises GivenUp with a hint."""
    item, endpoint = taking.item, taking.endpoint
    if not endpoint.decisions_url:
        raise GivenUp(
            f"{item.served} answers typed questions and does not chat, and {endpoint.name} has no decisions_url: set "
            "that address on the endpoint, and try again"
        )
    path = _proven_path(taking)
    types = [QuestionType.NOUL.value]
    for kind in (QuestionType.CHOICE, QuestionType.SCORE):
        answer = _asked(taking, path, kind)
        taking.at_work.say(f"{kind}: {answer.get('words') or 'answered'}")
        if answer["answered"]:
            types.append(kind.value)
    row = DecisionModel.objects.filter(via=endpoint, served=item.served).first()
    if row is None:
        taken = names_in_use()
        alias = item.alias or alias_for(
            item.served, listed.upstream_id, taken=taken, connection=connection_of(listed.connection, endpoint)
        )
        row = do_save_decision_model(
            actor=taking.at_work.job.actor,
            alias=alias,
            served=item.served,
            via=endpoint.name,
            path=path,
            question_types=types,
            ad_hoc=item.mode == Mode.AD_HOC,
            new=True,
        )
    note = f"a decision model, {row.alias}: it answers {', '.join(types)}"
    return ends(JobState.DONE, note, decision=row.alias)


def _proven_path(taking: Taking) -> str:
    """The path under which it answers a yes-or-no question. Raises GivenUp."""
    paths = list(DecisionPath) if "{path}" in taking.endpoint.decisions_url else [DecisionPath.DECISIONS]
    answer: dict[str, Any] = {}
    for path in paths:
        answer = _asked(taking, path, QuestionType.NOUL)
        taking.at_work.say(f"noul at {path}: {answer.get('words') or 'answered'}")
        if answer["answered"]:
            return path.value
    raise GivenUp(f"it answers no typed question: {answer['words']}. {_hint(answer)}")


def _asked(taking: Taking, path: str, kind: QuestionType) -> dict[str, Any]:
    """Whether it answered a question of this kind; asked once, whoever works on the job."""
    part = f"decided {path} {kind}"
    kept: dict[str, Any] | None = taking.at_work.found(part)
    if kept is None:
        taking.at_work.check()
        kept = ask_type(taking.endpoint, taking.item.served, path, kind)
        taking.at_work.keep_part(part, kept)
    return kept


def ask_type(endpoint: Endpoint, served: str, path: str, kind: QuestionType) -> dict[str, Any]:
    """One question of this type: whether it was `answered`, else what was said in `words` and with which `status`."""
    view = DecisionView(
        id=0,
        alias=served[:64],
        served=served,
        endpoint=endpoint_view(endpoint),
        path=path,
        question_types=tuple(QuestionType),
    )
    order = DecisionOrder(view, STATE, {"q": QUESTIONS[kind]}, PROBER, "", PURPOSE)

    async def ask(bench: Bench) -> Decided:
        return await decide(bench, order)

    try:
        side().with_bench(ask)
    except UpstreamFault as fault:
        return {"answered": False, "words": fault.message[:300], "status": fault.upstream_status}
    return {"answered": True}


def _chat(taking: Taking) -> Outcome:
    """A chat of one token with a model that is not registered, so that the ledger names it by its served name."""
    view = ModelView(
        id=0, alias=taking.item.served[:64], served=taking.item.served, endpoint=endpoint_view(taking.endpoint)
    )
    order = Order(view, _HI, PROBER, "", "", _CHAT_S, PURPOSE, retries=0)

    async def chat(bench: Bench) -> Outcome:
        return await run_call(bench, order)

    return side().with_bench(chat)


def _hint(answer: dict[str, Any]) -> str:
    """What to do about it, by the status."""
    if _NO_PASSAGE.search(str(answer.get("words", ""))):
        return "The hub does not pass such calls on: switch its pass-through on."
    match answer.get("status"):
        case 404:
            return "Nothing is at that address: check the endpoint's decisions_url."
        case 402:
            return "The account has nothing left to pay with."
        case 401 | 403:
            return "The key opens chats and no decisions, or nothing at all."
        case _:
            return "Nothing was registered."
