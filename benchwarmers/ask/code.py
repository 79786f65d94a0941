"""A question as code that asks exactly this: for curl, Python and JavaScript, in each of the six formats. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from benchwarmers.ask.code_bodies import (
    Body,
    anthropic_body,
    chat_body,
    completions_body,
    gemini_body,
    gemini_python,
    gemini_script,
    ollama_body,
    responses_body,
)
from benchwarmers.ask.code_text import arguments, render, shell_document
from benchwarmers.ask.question import Question

KEY: Final = "BENCHWARMERS_KEY"
"""The environment variable that the code takes the gateway key from."""
BEARER: Final = f'-H "Authorization: Bearer ${KEY}"'
Wishes = Literal["fields", "extra_body", "own", "none"]
"""Where a library takes the gateway's own fields: beside the others, in `extra_body`, where its arguments say, or
nowhere."""


class Library(Struct, frozen=True):
    """How a library asks: what is imported, how the client is made (`{address}` and `{key}` are filled in), what is
    called, what of the reply is printed, and its arguments for a question; `raw` where it takes a picture's bytes."""

    imports: str
    client: str
    call: str
    result: str
    wishes: Wishes
    body: Callable[[Question], Body]
    raw: bool = False


class Format(Struct, frozen=True):
    """One of the gateway's formats. `headers` are the options for curl; `fixed` is what curl has to say beside."""

    name: str
    label: str
    path: str
    headers: tuple[str, ...]
    body: Callable[[Question], Body]
    python: Library
    script: Library
    fixed: dict[str, Any] = {}
    plain: bool = False


class Snippet(Struct, frozen=True):
    """Code in one language; `text` is empty where `why` says that there is none."""

    language: str
    text: str
    why: str | Promise = ""


class Written(Struct, frozen=True):
    """All code for one format."""

    name: str
    label: str
    snippets: tuple[Snippet, ...]


NO_PICTURES: Final = _("This format has no place for images.")
NO_SYSTEM: Final = _("This format has no place for a system text.")
NO_WISHES: Final = _("This library sends no fields but its own, so nobody can be nominated by it; curl can.")


def write_code(question: Question, address: str) -> list[Written]:
    """The question in every format, for the server at this address (without a closing slash)."""
    return [_written(one, question, address) for one in FORMATS]


def _written(one: Format, question: Question, address: str) -> Written:
    if one.plain and (question.images or question.system):
        why = NO_PICTURES if question.images else NO_SYSTEM
        return Written(one.name, one.label, (Snippet("curl", "", why),))
    return Written(
        one.name,
        one.label,
        (
            Snippet("curl", _curl(one, question, address)),
            _snippet("Python", one.python, question, _python, address),
            _snippet("JavaScript", one.script, question, _script, address),
        ),
    )


def _snippet(
    language: str,
    library: Library,
    question: Question,
    write: Callable[[Library, Body, Question, str], str],
    address: str,
) -> Snippet:
    if library.wishes == "none" and question.wishes:
        return Snippet(language, "", NO_WISHES)
    body = library.body(question)
    if library.wishes == "fields":
        body = {**body, **question.wishes}
    elif library.wishes == "extra_body" and question.wishes:
        body = {**body, "extra_body": question.wishes}
    return Snippet(language, write(library, body, question, address))


def _curl(one: Format, question: Question, address: str) -> str:
    body = {**one.body(question), **one.fixed, **question.wishes}
    path = one.path.replace("{model}", question.model)
    lines = [f"curl {address}{path}", *one.headers, '-H "Content-Type: application/json"']
    return " \\\n  ".join([*lines, f"-d @- {shell_document(body)}"])


def _python(library: Library, body: Body, question: Question, address: str) -> str:
    encodes = bool(question.images) and not library.raw
    lines = ["import base64"] if encodes else []
    lines.append("import os")
    if question.images:
        lines.append("from pathlib import Path")
    lines += ["", library.imports, ""]
    if encodes:
        lines += ["", "def picture(name):", "    return base64.b64encode(Path(name).read_bytes()).decode()", "", ""]
    key = f'os.environ.get("{KEY}", "none")'
    lines.append(library.client.replace("{address}", address).replace("{key}", key))
    lines.append(f"reply = {library.call}({arguments(body, 'python')})")
    return "\n".join([*lines, f"print({library.result})"])


def _script(library: Library, body: Body, question: Question, address: str) -> str:
    lines = [library.imports]
    if question.images:
        lines.append('import { readFileSync } from "node:fs";')
    lines.append("")
    if question.images:
        lines += ['const picture = (name) => readFileSync(name).toString("base64");', ""]
    key = f'process.env.{KEY} ?? "none"'
    lines.append(library.client.replace("{address}", address).replace("{key}", key))
    lines.append(f"const reply = await {library.call}({render(body, 'script')});")
    return "\n".join([*lines, f"console.log({library.result});"])


def _openai(call: str, result: str, body: Callable[[Question], Body]) -> tuple[Library, Library]:
    python = Library(
        "from openai import OpenAI",
        'client = OpenAI(base_url="{address}/v1", api_key={key})',
        f"client.{call}.create",
        result,
        "extra_body",
        body,
    )
    script = Library(
        'import OpenAI from "openai";',
        'const client = new OpenAI({ baseURL: "{address}/v1", apiKey: {key} });',
        f"client.{call}.create",
        result,
        "fields",
        body,
    )
    return python, script


_ANTHROPIC: Final = (
    Library(
        "from anthropic import Anthropic",
        'client = Anthropic(base_url="{address}", api_key={key})',
        "client.messages.create",
        "reply.content[0].text",
        "extra_body",
        anthropic_body,
    ),
    Library(
        'import Anthropic from "@anthropic-ai/sdk";',
        'const client = new Anthropic({ baseURL: "{address}", apiKey: {key} });',
        "client.messages.create",
        "reply.content[0].text",
        "fields",
        anthropic_body,
    ),
)
_OLLAMA: Final = (
    Library(
        "from ollama import Client",
        'client = Client(host="{address}", headers={"Authorization": "Bearer " + {key}})',
        "client.chat",
        "reply.message.content",
        "none",
        ollama_body,
    ),
    Library(
        'import { Ollama } from "ollama";',
        'const client = new Ollama({ host: "{address}", headers: { Authorization: "Bearer " + ({key}) } });',
        "client.chat",
        "reply.message.content",
        "fields",
        ollama_body,
    ),
)
_GEMINI: Final = (
    Library(
        "from google import genai",
        'client = genai.Client(api_key={key}, http_options={"base_url": "{address}"})',
        "client.models.generate_content",
        "reply.text",
        "own",
        gemini_python,
        raw=True,
    ),
    Library(
        'import { GoogleGenAI } from "@google/genai";',
        'const client = new GoogleGenAI({ apiKey: {key}, httpOptions: { baseUrl: "{address}" } });',
        "client.models.generateContent",
        "reply.text",
        "own",
        gemini_script,
    ),
)
FORMATS: Final[tuple[Format, ...]] = (
    Format(
        "chat",
        "OpenAI chat",
        "/v1/chat/completions",
        (BEARER,),
        chat_body,
        *_openai("chat.completions", "reply.choices[0].message.content", chat_body),
    ),
    Format(
        "responses",
        "OpenAI Responses",
        "/v1/responses",
        (BEARER,),
        responses_body,
        *_openai("responses", "reply.output_text", responses_body),
    ),
    Format(
        "completions",
        "OpenAI completions",
        "/v1/completions",
        (BEARER,),
        completions_body,
        *_openai("completions", "reply.choices[0].text", completions_body),
        plain=True,
    ),
    Format(
        "anthropic",
        "Anthropic Messages",
        "/v1/messages",
        (f'-H "x-api-key: ${KEY}"', '-H "anthropic-version: 2023-06-01"'),
        anthropic_body,
        *_ANTHROPIC,
    ),
    Format("ollama", "Ollama", "/api/chat", (BEARER,), ollama_body, *_OLLAMA, fixed={"stream": False}),
    Format(
        "gemini",
        "Gemini",
        "/v1beta/models/{model}:generateContent",
        (f'-H "x-goog-api-key: ${KEY}"',),
        gemini_body,
        *_GEMINI,
    ),
)
