"""instructor in its text modes, since a panel takes no tools."""

from __future__ import annotations

from typing import Any

import anthropic
import instructor
import openai
from pydantic import BaseModel

from benchwarmers.tests.clients.steps import (
    BASE,
    KEY,
    NOBODY,
    PERSON,
    PRACTICE,
    SUM,
    expect_person,
    expect_refusal,
    expect_squad,
    step,
)

ASKED: list[Any] = [{"role": "user", "content": "Ada is 36."}]
QUESTION: list[Any] = [{"role": "user", "content": SUM}]
CHAT: Any = openai.OpenAI(base_url=f"{BASE}/v1", api_key=KEY, max_retries=0)
MESSAGES: Any = anthropic.Anthropic(base_url=BASE, api_key=KEY, max_retries=0)


class Person(BaseModel):
    name: str
    age: int


def chat(model: str, messages: Any, shape: Any) -> Any:
    client: Any = instructor.from_openai(CHAT, mode=instructor.Mode.MD_JSON)
    return client.chat.completions.create(model=model, messages=messages, response_model=shape, max_retries=0)


def chat_partial() -> None:
    client: Any = instructor.from_openai(CHAT, mode=instructor.Mode.MD_JSON)
    expect_person(
        list(
            client.chat.completions.create_partial(model=PERSON, messages=ASKED, response_model=Person, max_retries=0)
        )[-1]
    )


def message(model: str, messages: Any, shape: Any) -> Any:
    client: Any = instructor.from_anthropic(MESSAGES, mode=instructor.Mode.ANTHROPIC_JSON)
    return client.messages.create(model=model, messages=messages, response_model=shape, max_retries=0, max_tokens=500)


step("chat", "whole", lambda: expect_squad(chat(PRACTICE, QUESTION, None).choices[0].message.content))
step("chat", "structured, MD_JSON", lambda: expect_person(chat(PERSON, ASKED, Person)))
step("chat", "structured, streamed", chat_partial)
step("chat", "unknown model", lambda: expect_refusal(lambda: chat(NOBODY, QUESTION, None), 404, PRACTICE))
step("anthropic", "whole", lambda: expect_squad(message(PRACTICE, QUESTION, None).content[0].text))
step("anthropic", "structured, ANTHROPIC_JSON", lambda: expect_person(message(PERSON, ASKED, Person)))
step("anthropic", "unknown model", lambda: expect_refusal(lambda: message(NOBODY, QUESTION, None), 404, PRACTICE))
