"""How a hub's administration is reached, over real connections on loopback."""

from __future__ import annotations

import pytest

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.secret import do_save_secret
from collections_app.models import Endpoint
from gateway.canon.fault import NotSent, UpstreamFault
from probes.hubs import known
from probes.hubs.door import admin_key, open_hub, root_of
from probes.listing import Listed
from probes.tests.hubs.front import ADMIN, fronting
from probes.tests.hubs.scripted import cliproxy, litellm, openwebui

pytestmark = pytest.mark.django_db


def hub(base: str, kind: str, name: str = "there") -> Endpoint:
    return do_save_endpoint(actor=None, name=name, base=base, kind="hub", hub=kind)


@pytest.mark.parametrize(
    ("kind", "base", "root"),
    [
        ("openwebui", "https://chat.example/api", "https://chat.example"),
        ("openwebui", "https://chat.example/sub/api", "https://chat.example/sub"),
        ("openwebui", "https://chat.example/api/v1", "https://chat.example"),
        ("litellm", "https://llm.example/v1", "https://llm.example"),
        ("litellm", "https://llm.example", "https://llm.example"),
        ("litellm", "https://v1", "https://v1"),
        ("cliproxy", "http://127.0.0.1:8317/v1", "http://127.0.0.1:8317"),
    ],
)
def test_the_root_is_the_base_without_the_apis_ending(kind: str, base: str, root: str) -> None:
    assert root_of(Endpoint(name="there", base=base, hub=kind)) == root


@pytest.mark.parametrize(
    ("kind", "stored", "key_name", "admin_name", "found"),
    [
        ("openwebui", ["there"], "", "", "there"),
        ("openwebui", ["there", "there-admin"], "", "", "there-admin"),
        ("litellm", ["shared"], "shared", "", "shared"),
        ("litellm", ["shared", "shared-admin"], "shared", "", "shared-admin"),
        ("litellm", ["shared", "shared-admin", "boss"], "shared", "boss", "boss"),
        ("cliproxy", ["there"], "", "", ""),
        ("cliproxy", ["there", "there-admin"], "", "", "there-admin"),
    ],
)
def test_the_admin_key_is_its_own_secret_and_the_endpoints_only_where_that_will_do(
    kind: str, stored: list[str], key_name: str, admin_name: str, found: str
) -> None:
    for name in stored:
        do_save_secret(actor=None, name=name, plain=f"value-of-{name}")

    key = admin_key(Endpoint(name="there", base="http://x/v1", hub=kind, key_name=key_name, admin_key_name=admin_name))

    assert key == (f"value-of-{found}" if found else "")


def test_without_a_management_key_nothing_is_sent_to_a_cli_proxy() -> None:
    scripted, _ = cliproxy()
    with fronting(scripted) as root:
        there = hub(f"{root}/v1", "cliproxy")
        do_save_secret(actor=None, name="there", plain="the-endpoints-own-key-123456")

        with pytest.raises(NotSent, match="BENCHWARMERS_KEY_THERE_ADMIN"):
            known.overview(there)
        assert known.tags_of(there, [Listed(served="or/one")]) == {}
        assert known.behind(there) == {}

    assert scripted.asked == []


def test_a_refused_key_is_in_no_message() -> None:
    scripted, _ = openwebui()
    with fronting(scripted) as root:
        there = hub(f"{root}/api", "openwebui")
        do_save_secret(actor=None, name="there-admin", plain="a-wrong-admin-key-0123456789")

        with pytest.raises(UpstreamFault) as caught:
            known.overview(there)

    assert "a-wrong-admin-key" not in f"{caught.value.message} {caught.value.body}"


def test_two_hubs_of_a_kind_are_two_hubs() -> None:
    (one, _), (two, state) = openwebui(), openwebui()
    state["config"]["OPENAI_API_BASE_URLS"] = ["https://api.groq.com/openai/v1"]
    with fronting(one) as first, fronting(two) as second:
        for name, root in (("first", first), ("second", second)):
            do_save_secret(actor=None, name=f"{name}-admin", plain=ADMIN)
            hub(f"{root}/api", "openwebui", name)
        names = {
            name: [one.id for one in known.overview(Endpoint.objects.get(name=name)).connections]
            for name in ("first", "second")
        }

    assert names["first"] == ["openrouter", "lan-proxy-1", "lan-proxy-2"]
    assert names["second"][0] == "groq"


def test_a_key_that_opens_both_the_hub_and_a_provider_goes_back_unharmed() -> None:
    """What is read is written back, so nothing may be taken out of it on the way."""
    scripted, state = openwebui()
    state["config"]["OPENAI_API_KEYS"][1] = ADMIN
    with fronting(scripted) as root:
        there = hub(f"{root}/api", "openwebui")
        do_save_secret(actor=None, name="there-admin", plain=ADMIN)
        known.add(there, known.plan(there, "openrouter", "maker/two"))

    assert state["config"]["OPENAI_API_KEYS"][1] == ADMIN


def test_models_that_are_registered_here_name_connections_that_the_hub_does_not_show() -> None:
    scripted, state = openwebui()
    state["models"] = state["models"][:1]
    scripted.script["GET /openai/config"] = (403, {"detail": "no"})
    with fronting(scripted) as root:
        there = hub(f"{root}/api", "openwebui")
        do_save_secret(actor=None, name="there", plain=ADMIN)
        do_save_model(actor=None, served="or.maker/one", endpoint="there", tag="openrouter/maker")
        raw = state["models"][0]

        assert known.tags_of(there, [Listed(served="or.maker/one", raw=raw)]) == {
            "or.maker/one": ("openrouter", "maker/one")
        }


def test_an_endpoint_that_is_no_hub_has_no_tags_and_no_door() -> None:
    plain = do_save_endpoint(actor=None, name="plain", base="https://plain.example/v1")

    assert known.tags_of(plain, [Listed(served="a")]) == {}
    with pytest.raises(NotSent, match="no hub"):
        open_hub(plain)


def test_litellm_takes_the_endpoints_own_key() -> None:
    scripted, _ = litellm()
    with fronting(scripted) as root:
        there = hub(f"{root}/v1", "litellm")
        do_save_secret(actor=None, name="there", plain=ADMIN)

        assert known.behind(there) == {"openrouter": "https://openrouter.ai/api/v1", "anthropic": ""}
