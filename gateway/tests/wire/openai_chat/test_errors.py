"""The error document that callers of chat completions get."""

import json

from gateway.canon.fault import BadRequest
from gateway.wire.openai_chat import SERVER


def test_callers_get_message_type_and_status() -> None:
    assert json.loads(SERVER.error_body(BadRequest("no"))) == {
        "error": {"message": "no", "type": "bench_gateway", "code": 400}
    }
