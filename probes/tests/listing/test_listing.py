"""Endpoints asked for their models, over real connections on loopback."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.actions.secret import do_save_secret
from collections_app.models import Endpoint
from gateway.canon.fault import Broken, FailureClass, NotSent, Rejected, Unreachable, UpstreamFault
from gateway.canon.kinds import Api, EndpointKind
from probes.listing import list_models
from probes.tests.listing.servers import key_needed, serving

KEY = "sk-a-key-of-twenty-letters"
pytestmark = pytest.mark.django_db


def endpoint(base: str, **fields: Any) -> Endpoint:
    return Endpoint(name="there", base=base, kind=EndpointKind.LOCAL, **fields)


def keyed(base: str, **fields: Any) -> Endpoint:
    do_save_secret(actor=None, name="there", plain=KEY)
    return endpoint(base, **fields)


@pytest.mark.parametrize(
    ("api", "path", "header", "value"),
    [
        (Api.CHAT, "/v1/models", "authorization", f"Bearer {KEY}"),
        (Api.RESPONSES, "/v1/models", "authorization", f"Bearer {KEY}"),
        (Api.ANTHROPIC, "/v1/models?limit=1000", "x-api-key", KEY),
        (Api.OLLAMA, "/v1/api/tags", "authorization", f"Bearer {KEY}"),
    ],
)
def test_each_api_lists_at_its_own_path_with_its_own_header(api: str, path: str, header: str, value: str) -> None:
    with serving({path: {"data": [{"id": "m"}]}}) as server:
        models = list_models(keyed(f"{server.base}/v1", api=api))
    ((_, headers),) = server.asked
    assert [model.served for model in models] == ["m"]
    assert headers[header] == value
    assert ("anthropic-version" in headers) is (api == Api.ANTHROPIC)


def test_without_the_key_no_key_is_sent() -> None:
    with serving({"/models": {"data": []}}) as server:
        assert list_models(keyed(server.base), key=False) == []
    assert KEY not in str(server.asked)


def test_all_pages_of_anthropic_are_read() -> None:
    pages = {
        "/models?limit=1000": {"data": [{"id": "a"}], "has_more": True, "last_id": "a"},
        "/models?limit=1000&after_id=a": {"data": [{"id": "b"}], "has_more": False, "last_id": "b"},
    }
    with serving(pages) as server:
        assert [model.served for model in list_models(endpoint(server.base, api=Api.ANTHROPIC))] == ["a", "b"]


def test_all_pages_of_gemini_are_read() -> None:
    def page(name: str, **more: str) -> dict[str, Any]:
        return {"models": [{"name": f"models/{name}", "supportedGenerationMethods": ["generateContent"]}], **more}

    pages = {
        "/models?pageSize=1000": page("a", nextPageToken="t/2"),
        "/models?pageSize=1000&pageToken=t%2F2": page("b"),
    }
    with serving(pages) as server:
        models = list_models(keyed(server.base, api=Api.GEMINI))
    assert [model.served for model in models] == ["a", "b"]
    assert server.asked[1][1]["x-goog-api-key"] == KEY


def test_pages_that_lead_in_a_circle_are_no_listing() -> None:
    page = {"data": [{"id": "a"}], "has_more": True, "last_id": "a"}
    with serving({"/models?limit=1000": page, "/models?limit=1000&after_id=a": page}) as server:
        with pytest.raises(Broken, match="lead back"):
            list_models(endpoint(server.base, api=Api.ANTHROPIC))
        assert len(server.asked) == 2


def test_a_listing_may_stand_at_another_address() -> None:
    with serving({"/catalog?kind=all": [{"id": "vendor/m"}]}) as server:
        found = list_models(endpoint("http://127.0.0.1:9/v1", models_url=f"{server.base}/catalog?kind=all"))
    assert [model.served for model in found] == ["vendor/m"]


def test_what_is_served_unlisted_counts_even_where_there_is_no_listing() -> None:
    with serving({}) as server:
        found = list_models(endpoint(server.base, unlisted_models=["sonar"]))
        assert [model.served for model in found] == ["sonar"]
        with pytest.raises(Rejected, match="404"):
            list_models(endpoint(server.base))


def test_ollama_is_asked_at_its_own_port_with_and_without_api_in_the_address() -> None:
    with serving({"/api/tags": {"models": [{"name": "llama:8b", "model": "llama:8b"}]}}) as server:
        for base in (server.base, f"{server.base}/api"):
            assert [one.served for one in list_models(endpoint(base, api=Api.OLLAMA))] == ["llama:8b"]


def test_extra_headers_are_sent_and_those_that_name_a_secret_opened() -> None:
    do_save_secret(actor=None, name="door", plain="the-second-secret-here")
    headers = {"X-Title": "bench", "CF-Access-Client-Secret": "secret:door"}
    with serving({"/models": []}) as server:
        list_models(endpoint(server.base, headers=headers))
    ((_, sent),) = server.asked
    assert (sent["x-title"], sent["cf-access-client-secret"]) == ("bench", "the-second-secret-here")


def test_a_header_whose_secret_is_missing_asks_nobody() -> None:
    with serving({"/models": []}) as server, pytest.raises(NotSent, match="secret door"):
        list_models(endpoint(server.base, headers={"X-Auth": "secret:door"}))
    assert server.asked == []


def test_a_named_key_that_has_no_value_asks_nobody() -> None:
    with serving({"/models": []}) as server, pytest.raises(NotSent, match="NO_SUCH_VARIABLE_HERE"):
        list_models(endpoint(server.base, key_env="NO_SUCH_VARIABLE_HERE"))
    assert server.asked == []


def test_a_refused_key_is_told_as_such_and_not_repeated() -> None:
    with serving({"/models": key_needed([], "another-key")}) as server, pytest.raises(Rejected) as refused:
        list_models(keyed(server.base))
    assert refused.value.failure is FailureClass.SIGNIN
    assert refused.value.upstream_status == 401
    assert KEY not in f"{refused.value} {refused.value.body}"
    assert "invalid key" in refused.value.message


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ((200, "<html>welcome</html>"), Broken),
        ((200, '{"data":' + "[" * 50_000), Broken),
        ({"object": "list"}, Broken),
        ((500, "oh"), Rejected),
    ],
    ids=["a page", "too deep", "no list", "an error"],
)
def test_what_is_no_listing_is_an_error(answer: Any, fault: type[UpstreamFault]) -> None:
    with serving({"/models": answer}) as server, pytest.raises(fault):
        list_models(endpoint(server.base))


def test_an_endpoint_that_is_not_there_is_unreachable() -> None:
    with serving({}) as server:
        base = server.base
    with pytest.raises(Unreachable):
        list_models(endpoint(base))
