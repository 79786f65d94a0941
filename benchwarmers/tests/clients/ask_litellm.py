"""litellm, which rewrites one call into the API that the model's prefix names."""

from __future__ import annotations

from typing import Any

import litellm

from benchwarmers.tests.clients.steps import (
    BASE,
    KEY,
    NOBODY,
    PERSON,
    PIXEL,
    PRACTICE,
    SUM,
    expect,
    expect_refusal,
    expect_seen,
    expect_squad,
    step,
)

litellm.telemetry = False
litellm.drop_params = True
litellm.suppress_debug_info = True
FLAVOURS = {
    "openai": f"{BASE}/v1",
    "anthropic": BASE,
    "gemini": f"{BASE}/v1beta",
    "ollama_chat": BASE,
    "text-completion-openai": f"{BASE}/v1",
}
MESSAGES = [{"role": "system", "content": "Be terse."}, {"role": "user", "content": SUM}]
PICTURE = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What colour?"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
        ],
    }
]
ONE_MESSAGE = MESSAGES[1:]  # of several, completions would be sent several prompts


class Flavour:
    def __init__(self, name: str, base: str) -> None:
        self.name = name
        self.settings = {"api_base": base, "api_key": KEY, "num_retries": 0, "timeout": 60}

    def ask(self, model: str = PRACTICE, messages: Any = None, **more: Any) -> Any:
        messages = messages or (ONE_MESSAGE if self.name.startswith("text-") else MESSAGES)
        return litellm.completion(model=f"{self.name}/{model}", messages=messages, **self.settings, **more)

    def whole(self) -> None:
        reply = self.ask()
        expect_squad(reply.choices[0].message.content)
        expect(reply.choices[0].finish_reason == "stop", reply)
        expect(reply.usage.prompt_tokens > 0 and reply.usage.completion_tokens > 0, reply.usage)

    def streamed(self) -> None:
        chunks = list(self.ask(stream=True, stream_options={"include_usage": True}))
        texts = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
        expect_squad("".join(text or "" for text in texts))

    def unknown(self) -> None:
        expect_refusal(lambda: self.ask(NOBODY), 404, PRACTICE)

    def picture(self) -> None:
        expect_seen(self.ask(messages=PICTURE).choices[0].message.content)

    def unseen(self) -> None:
        expect_refusal(lambda: self.ask(PERSON, PICTURE), 400, "image")


for name, base in FLAVOURS.items():
    flavour = Flavour(name, base)
    step(name, "whole", flavour.whole)
    step(name, "streamed", flavour.streamed)
    step(name, "unknown model", flavour.unknown)
    if name != "text-completion-openai":
        step(name, "image", flavour.picture)
        step(name, "image nobody sees", flavour.unseen)


def response() -> None:
    reply: Any = litellm.responses(model=f"openai/{PRACTICE}", input=SUM, api_base=f"{BASE}/v1", api_key=KEY)
    expect_squad(reply.output_text)


def response_streamed() -> None:
    events: Any = litellm.responses(
        model=f"openai/{PRACTICE}", input=SUM, stream=True, api_base=f"{BASE}/v1", api_key=KEY
    )
    expect_squad("".join(event.delta for event in events if event.type == "response.output_text.delta"))


step("openai responses", "whole", response)
step("openai responses", "streamed", response_streamed)
