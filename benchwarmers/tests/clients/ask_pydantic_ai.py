"""pydantic-ai over four APIs. Structured output by prompt and by schema, since a panel takes no tools."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, NativeOutput, PromptedOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from benchwarmers.tests.clients.steps import (
    BASE,
    KEY,
    NOBODY,
    PERSON,
    PIXEL,
    PRACTICE,
    SUM,
    expect,
    expect_person,
    expect_refusal,
    expect_seen,
    expect_squad,
    step,
)

PICTURE = ["What colour?", BinaryContent(base64.b64decode(PIXEL), media_type="image/png")]


class Person(BaseModel):
    name: str
    age: int


def openai() -> Any:
    return OpenAIProvider(base_url=f"{BASE}/v1", api_key=KEY)


MODELS: dict[str, Callable[[str], Any]] = {
    "chat": lambda name: OpenAIChatModel(name, provider=openai()),
    "responses": lambda name: OpenAIResponsesModel(name, provider=openai()),
    "anthropic": lambda name: AnthropicModel(name, provider=AnthropicProvider(api_key=KEY, base_url=BASE)),
    "gemini": lambda name: GoogleModel(name, provider=GoogleProvider(api_key=KEY, base_url=BASE)),
}


class Flavour:
    def __init__(self, model: Callable[[str], Any]) -> None:
        self.model = model

    def whole(self) -> None:
        done = Agent(self.model(PRACTICE), instructions="Be terse.").run_sync(SUM)
        expect_squad(done.output)
        expect(done.usage.input_tokens > 0 and done.usage.output_tokens > 0, done.usage)

    def streamed(self) -> None:
        async def texts() -> str:
            async with Agent(self.model(PRACTICE)).run_stream(SUM) as run:
                return "".join([text async for text in run.stream_text(delta=True)])

        expect_squad(asyncio.run(texts()))

    def conversation(self) -> None:
        agent = Agent(self.model(PRACTICE))
        first = agent.run_sync("Hello.")
        expect_squad(agent.run_sync(SUM, message_history=first.all_messages()).output)

    def person(self) -> None:
        expect_person(Agent(self.model(PERSON), output_type=PromptedOutput(Person)).run_sync("Ada is 36.").output)

    def native_person(self) -> None:
        expect_person(Agent(self.model(PERSON), output_type=NativeOutput(Person)).run_sync("Ada is 36.").output)

    def picture(self) -> None:
        expect_seen(Agent(self.model(PRACTICE)).run_sync(PICTURE).output)

    def unseen(self) -> None:
        expect_refusal(lambda: Agent(self.model(PERSON)).run_sync(PICTURE), 400, "image")

    def unknown(self) -> None:
        expect_refusal(lambda: Agent(self.model(NOBODY)).run_sync(SUM), 404, PRACTICE)


for api, model in MODELS.items():
    flavour = Flavour(model)
    step(api, "whole", flavour.whole)
    step(api, "streamed", flavour.streamed)
    step(api, "conversation goes on", flavour.conversation)
    step(api, "structured, prompted", flavour.person)
    if api != "anthropic":  # there the library goes by a list of models, and sends nothing for others
        step(api, "structured, native", flavour.native_person)
    step(api, "image", flavour.picture)
    step(api, "image nobody sees", flavour.unseen)
    step(api, "unknown model", flavour.unknown)
