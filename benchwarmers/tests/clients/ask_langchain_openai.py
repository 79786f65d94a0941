"""langchain-openai: chat completions and Responses."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_openai import ChatOpenAI
from pydantic import BaseModel

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

IMAGE = {"type": "image", "base64": PIXEL, "mime_type": "image/png"}
PICTURE: Any = [{"role": "user", "content": [{"type": "text", "text": "What colour?"}, IMAGE]}]
LOOP = asyncio.Runner()  # one for all: the library keeps its connections from call to call


class Person(BaseModel):
    name: str
    age: int


class Flavour:
    def __init__(self, **more: Any) -> None:
        self.more = more

    def model(self, name: str = PRACTICE) -> Any:
        return ChatOpenAI(model=name, base_url=f"{BASE}/v1", api_key=KEY, max_retries=0, timeout=60, **self.more)

    def whole(self) -> None:
        reply = self.model().invoke([("system", "Be terse."), ("human", SUM)])
        expect_squad(reply.text)
        used = reply.usage_metadata
        expect(used["total_tokens"] == used["input_tokens"] + used["output_tokens"] > 0, used)

    def streamed(self) -> None:
        chunks = list(self.model().stream(SUM))
        expect_squad("".join(chunk.text for chunk in chunks))
        expect(any(chunk.usage_metadata for chunk in chunks), "no usage")

    def asynchronous(self) -> None:
        async def texts() -> str:
            return "".join([chunk.text async for chunk in self.model().astream(SUM)])

        expect_squad(LOOP.run(texts()))

    def person(self) -> None:
        expect_person(self.model(PERSON).with_structured_output(Person, method="json_mode").invoke("Ada is 36. JSON."))

    def strict_person(self) -> None:
        expect_person(self.model(PERSON).with_structured_output(Person, method="json_schema").invoke("Ada is 36."))

    def picture(self) -> None:
        expect_seen(self.model().invoke(PICTURE).text)

    def unseen(self) -> None:
        expect_refusal(lambda: self.model(PERSON).invoke(PICTURE), 400, "image")

    def tools(self) -> None:
        def look(place: str) -> str:
            """Looks at a place."""
            return place

        expect_refusal(lambda: self.model().bind_tools([look]).invoke(SUM), 400, "tools")

    def unknown(self) -> None:
        expect_refusal(lambda: self.model(NOBODY).invoke(SUM), 404, PRACTICE)


for api, flavour in (("chat", Flavour(stream_usage=True)), ("responses", Flavour(use_responses_api=True))):
    step(api, "whole", flavour.whole)
    step(api, "streamed", flavour.streamed)
    step(api, "asynchronous", flavour.asynchronous)
    step(api, "structured, json mode", flavour.person)
    step(api, "structured, json schema", flavour.strict_person)
    step(api, "image", flavour.picture)
    step(api, "image nobody sees", flavour.unseen)
    step(api, "tools refused", flavour.tools)
    step(api, "unknown model", flavour.unknown)
