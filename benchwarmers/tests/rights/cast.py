"""The people, keys and things of the permission matrix: real rows, all of them olga's.

olga and tess are in the team red, which owns `bench/den` and `bench/yard`; stan is in blue. All three are callers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from allauth.idp.oidc.models import Client as Registered
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone

from benchwarmers.dashboard.cards import load_board
from benchwarmers.tests.pages.seed import Played, judge, make_models, make_panel
from benchwarmers.tests.pages.shades import Proposes, make_shadow
from benchwarmers.tests.pages.talks import Took, make_talk
from benchwarmers.tests.people.passkey import stored_passkey
from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.invitation import do_invite
from collections_app.actions.person import do_save_person
from collections_app.actions.program import do_make_program
from collections_app.actions.signed_program import do_sign_in_program
from collections_app.actions.token import do_create_token
from collections_app.models import Collection, GatewayKey, LanguageModel, Seating, SignIn, SignInSession, Team
from gateway.canon.kinds import AlertKind, TaskShape
from gateway.models import Panel, UsageDay
from probes.jobs.store import enqueue
from probes.models import Offer
from suite.drafts import Draft
from suite.store import begin_pass, keep_task

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
NOBODY = "anonymous"
GROUPS = {
    "nora": [],
    "vera": ["viewer"],
    "tess": ["caller"],
    "stan": ["caller"],
    "olga": ["caller"],
    "cora": ["curator"],
    "adam": ["admin"],
    "ivan": ["caller"],
}
"""nora is in no group, vera a viewer, cora a curator, adam an admin. ivan is inactive: his session is nobody's."""
OUT = (NOBODY, "ivan")
PEOPLE = (NOBODY, *GROUPS)


@dataclass
class Cast:
    """`things` are what addresses name, by kind; `secrets` the keys by what is special about them."""

    clients: dict[str, Client] = field(default_factory=dict)
    people: dict[str, User] = field(default_factory=dict)
    things: dict[str, Any] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)


def make_cast() -> Cast:
    """Needs an empty, migrated database."""
    cast = Cast()
    for name, groups in GROUPS.items():
        cast.people[name] = do_save_person(actor=None, username=name, groups=groups)
    User.objects.filter(username="ivan").update(is_active=False)
    red, blue = Team.objects.create(name="red"), Team.objects.create(name="blue")
    red.members.add(*(cast.people[name] for name in ("olga", "tess", "ivan")))
    blue.members.add(cast.people["stan"])
    make_models()
    for name, team in (("core", None), ("den", red), ("yard", red)):
        row, _ = Collection.objects.update_or_create(name=name, defaults={"team": team})
        Seating.objects.create(collection=row, language_model=LanguageModel.objects.get(alias="wren"), place=1)
    _make_things(cast)
    _make_usage(cast, red)
    _make_keys(cast, red, blue)
    _make_account(cast)
    _make_sign_ins(cast)
    _make_work(cast)
    _make_suite(cast)
    return cast


def make_clients(people: dict[str, User]) -> dict[str, Client]:
    """A browser for each, signed in, and one of nobody."""
    clients = {name: Client(raise_request_exception=False) for name in (NOBODY, *people)}
    for name, person in people.items():
        clients[name].force_login(person)
    return clients


def session_of(client: Client) -> str:
    """The cookie of a client's session, empty without one."""
    morsel = client.cookies.get(settings.SESSION_COOKIE_NAME)
    return morsel.value if morsel else ""


def _make_things(cast: Cast) -> None:
    lines = "Findings:\n\n- The lock is released before the write.\n- The retry has no jitter"
    seats = [Played("member", "granite-l", "ok", 3.2, lines), Played("member", "osprey", "ok", 1.0, lines)]
    panel = make_panel(NOON, "den", "Review this", seats, owner="olga")
    judge("olga", f"{panel}.member1", True)
    talk = make_talk(NOON, "den", "Fix the build", [Took("osprey", tools=("Edit",))] * 2, owner="olga")
    side = Proposes("Looks fine.", (), "")
    make_shadow(talk, 2, "wren", side, side, why="its work is oldest")
    claim = load_board(Panel.objects.get(pk=panel), cast.people["olga"]).claims.lines[0].key
    cast.things |= {"panel": panel, "call": f"{panel}.member2", "claim": claim, "conversation": talk, "shadow": 2}
    cast.things |= {"member": f"{talk}.1", "collection": "den", "yard": "yard", "model": "wren", "doing": "use"}


def _make_usage(cast: Cast, red: Team) -> None:
    """Two days of olga's: one of her own, one of her team's."""
    owner = cast.people["olga"].pk
    for team in (0, red.pk):
        UsageDay.objects.create(
            day=timezone.localdate(),
            owner_id=owner,
            team_id=team,
            caller="olga-laptop",
            collection_name="den",
            alias="wren",
            connection="harbour",
            requests=3,
            calls=3,
            tokens_in=1000,
            cost=5_000_000,
        )


def _make_keys(cast: Cast, red: Team, blue: Team) -> None:
    now = timezone.now()
    olga, core, den = cast.people["olga"], Collection.objects.get(name="core"), Collection.objects.get(name="den")
    make: dict[str, tuple[User, list[Collection], dict[str, Any]]] = {
        "open": (olga, [], {}),
        "scoped": (olga, [den], {}),
        "elsewhere": (olga, [core], {}),
        "blue": (cast.people["stan"], [], {"team": blue}),
        "blue-scoped": (cast.people["stan"], [core, den], {}),
        "red": (olga, [], {"team": red}),
        "revoked": (olga, [], {"revoked_at": now}),
        "expired": (olga, [], {"expires_at": now - timedelta(seconds=1)}),
        "rotated": (olga, [], {"previous_until": now - timedelta(seconds=1)}),
        "inactive": (cast.people["ivan"], [], {}),
    }
    for name, (owner, scope, more) in make.items():
        secret = f"bwk_{name}"
        digest = sha256(secret.encode()).hexdigest()
        if name == "rotated":
            more |= {"previous_digest": digest}
            digest = sha256(b"bwk_its-new-secret").hexdigest()
        row = GatewayKey.objects.create(
            owner=owner,
            name=f"{owner.get_username()}-{name}",
            digest=digest,
            hint=secret[-4:],
            scoped=bool(scope),
            **more,
        )
        row.collections.set(scope)
        cast.secrets[name] = secret
    cast.secrets |= {"none": "", "nonsense": "bwk_nobody-has-this"}
    cast.things["key"] = GatewayKey.objects.get(name="olga-red").pk


def _make_account(cast: Cast) -> None:
    """What is behind the pages about people: olga's ways in, a program, an invitation."""
    olga, store = cast.people["olga"], SessionStore()
    store.create()
    session = UserSession.objects.create(user=olga, ip="192.0.2.7", user_agent="", session_key=store.session_key)
    link = SocialAccount.objects.create(user=olga, provider="house", uid="olga")
    passkey = Authenticator.objects.create(user=olga, type="webauthn", data=stored_passkey("phone"))
    invitation, _ = do_invite(actor=None, now=timezone.now())
    do_make_program(actor=None, name="ci")
    cast.things |= {"session": session.pk, "link": link.pk, "passkey": passkey.pk, "invitation": invitation.pk}
    hers = do_sign_in_program(person=olga, grant="g", client=Registered(pk="x", name="Scribe"), now=timezone.now())
    cast.things["signed-program"] = hers.pk
    cast.things["token"] = do_create_token(user=olga, name="laptop", now=timezone.now())[0].pk
    cast.things |= {"person": "stan", "team": "red", "program": "ci"}


def _make_work(cast: Cast) -> None:
    """A job that waits, the name of one of the schedule's rows, and a model that a provider offers."""
    job = enqueue("availability", "olga", now=timezone.now(), by="olga")
    assert job is not None
    offer = Offer.objects.create(provider="lighthouse", name="lamp-1", served="lamp-1", seen_at=NOON)
    alert = raise_alert("auto-retire", Raised("wren", AlertKind.RETIRING, "silent", alias="wren"), timezone.now())
    cast.things |= {"job": job.pk, "scheduled": "catalog", "offer": offer.pk, "alert": alert.pk, "retry": "retry"}


def _make_suite(cast: Cast) -> None:
    """A reviewed task, and an attempt at it that waits."""
    task, _ = keep_task(
        Draft("plank", "A claim", TaskShape.CLAIM, "Is it so?", {"must_find": ["verdict: true"]}),
        by="",
        now=NOON,
        reviewed=True,
    )
    models = [LanguageModel.objects.get(alias="wren")]
    one = begin_pass("manual", list(task.versions.all()), models, by="", now=NOON)
    cast.things |= {"task": task.slug, "attempt": one.attempts.get().pk, "restore": "restore"}


def _make_sign_ins(cast: Cast) -> None:
    """A sign-in of cora's that is under way, and an endpoint that is signed in."""
    later = timezone.now() + timedelta(minutes=15)
    under_way = SignInSession.objects.create(
        digest="0" * 64, provider="openrouter", flow="key", by=cast.people["cora"], created_at=NOON, expires_at=later
    )
    signed = do_save_endpoint(actor=None, name="signed-in", base="https://signed.example/v1")
    SignIn.objects.create(endpoint=signed, provider="openrouter", at=NOON)
    # Its management has no key, so nobody is asked.
    do_save_endpoint(actor=None, name="proxy", base="http://127.0.0.1:1/v1", kind="hub", hub="cliproxy")
    do_save_endpoint(actor=None, name="spare", base="https://spare.example/v1")
    cast.things |= {"spare": "spare"}
    cast.things |= {"sign-in": under_way.pk, "signed": "signed-in", "hub": "proxy"}


def bearer(secret: str) -> dict[str, str]:
    """The header that carries a key."""
    return {"authorization": f"Bearer {secret}"} if secret else {}


def is_led_to_sign_in(answer: Any) -> bool:
    """Whether an answer sends its browser to the sign-in page."""
    return bool(answer.status_code == 302 and answer["Location"].startswith("/login/?next="))
