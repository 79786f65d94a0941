"""The model and the method are found in every form of path, and nowhere else."""

import pytest

from gateway.tests.wire.gemini.asking import PATH, STREAM_PATH, body
from gateway.wire.gemini import SERVER, read_path
from gateway.wire.gemini.path import write_path


@pytest.mark.parametrize(
    ("path", "model", "method"),
    [
        ("/v1beta/models/bench/core:generateContent", "bench/core", "generateContent"),
        ("/v1beta/models/bench/core:merged:streamGenerateContent", "bench/core:merged", "streamGenerateContent"),
        ("/v1beta/models/bench%2Fcore%3Amerged:streamGenerateContent", "bench/core:merged", "streamGenerateContent"),
        ("/v1beta/models/bench%2Fcore%3AcountTokens", "bench/core", "countTokens"),
        ("/v1beta/bench/core:generateContent", "bench/core", "generateContent"),
        ("/v1/models/gemini-2.5-flash:generateContent", "gemini-2.5-flash", "generateContent"),
        ("/v1alpha/models/m:generateContent/", "m", "generateContent"),
        ("/models/m:streamGenerateContent?alt=sse", "m", "streamGenerateContent"),
        ("/m:countTokens", "m", "countTokens"),
        ("/v1beta/models/bench/core:embedContent", "bench/core", "embedContent"),
        ("/v1/models/m:batchEmbedContents", "m", "batchEmbedContents"),
        ("/v1beta/models/models/m:generateContent", "m", "generateContent"),
        (
            "/v1beta1/projects/p/locations/l/publishers/google/models/bench/core:route:generateContent",
            "bench/core:route",
            "generateContent",
        ),
        ("/v1/publishers/google/models/m:generateContent", "m", "generateContent"),
    ],
)
def test_a_path_names_the_model_and_the_method(path: str, model: str, method: str) -> None:
    assert read_path(path) == (model, method)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/v1/chat/completions",
        "/v1/models/bench/core:merged",
        "/v1beta/models/m:predict",
        "/v1beta/models/m",
        "/v1beta/models/:generateContent",
        "/v1beta/models/m:generatecontent",
    ],
)
def test_other_paths_are_none_of_this_api(path: str) -> None:
    assert read_path(path) is None


@pytest.mark.parametrize(
    ("path", "query", "stream", "array"),
    [
        (PATH, "", False, False),
        (PATH, "alt=sse", False, False),
        (STREAM_PATH, "alt=sse", True, False),
        (STREAM_PATH, "key=k&alt=SSE", True, False),
        (STREAM_PATH, "", True, True),
        (STREAM_PATH, "alt=json", True, True),
    ],
)
def test_the_method_asks_for_a_stream_and_the_query_for_its_form(
    path: str, query: str, stream: bool, array: bool
) -> None:
    ask = SERVER.read_ask(body(), path, query)

    assert (ask.model, ask.stream, ask.stream_array) == ("bench/core", stream, array)


def test_without_a_path_the_body_names_the_model() -> None:
    assert SERVER.read_ask(body(model="models/m")).model == "m"
    assert SERVER.read_ask(body()).model == ""


def test_replies_name_the_model_as_the_caller_did() -> None:
    assert SERVER.echo_model("bench/core:merged") == "bench/core:merged"
    assert SERVER.id_prefix == ""


@pytest.mark.parametrize("served", ["gemini-2.5-pro", "models/gemini-2.5-pro", "odd name/x:y", "モデル"])
def test_the_path_that_asks_a_model_is_read_as_that_model(served: str) -> None:
    path = write_path(served, stream=True)

    assert path.endswith(":streamGenerateContent?alt=sse")
    assert read_path("/v1beta" + path) == (served.removeprefix("models/"), "streamGenerateContent")
    assert write_path("m", stream=False) == "/models/m:generateContent"
    assert write_path("a/b", stream=False) == "/models/a%2Fb:generateContent"
