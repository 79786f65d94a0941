"""One question as the request of each of the six formats, and as the arguments of each library. Pure.

Pictures stand as files: nobody wants a megabyte of base64 in what they copy.
"""

from __future__ import annotations

from typing import Any

from benchwarmers.ask.code_text import Picture
from benchwarmers.ask.question import Image, Question

Body = dict[str, Any]


def chat_body(question: Question) -> Body:
    """POST /v1/chat/completions."""
    content: Any = question.prompt
    if question.images:
        pictures = [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in question.images]
        content = [*_words(question, "text"), *pictures]
    return {"model": question.model, "messages": _turns(question, content)}


def responses_body(question: Question) -> Body:
    """POST /v1/responses."""
    asked: Any = question.prompt
    if question.images:
        pictures = [{"type": "input_image", "image_url": _data_url(image)} for image in question.images]
        asked = [{"role": "user", "content": [*_words(question, "input_text"), *pictures]}]
    return {"model": question.model, **_system(question, "instructions"), "input": asked}


def completions_body(question: Question) -> Body:
    """POST /v1/completions, which knows a prompt and no more."""
    return {"model": question.model, "prompt": question.prompt}


def anthropic_body(question: Question) -> Body:
    """POST /v1/messages."""
    content: Any = question.prompt
    if question.images:
        content = [
            *(
                {"type": "image", "source": {"type": "base64", "media_type": image.mime, "data": Picture(image.name)}}
                for image in question.images
            ),
            *_words(question, "text"),
        ]
    turns = [{"role": "user", "content": content}]
    return {"model": question.model, "max_tokens": 4096, **_system(question, "system"), "messages": turns}


def ollama_body(question: Question) -> Body:
    """POST /api/chat, without `stream`: libraries have a way of their own to say that."""
    turns = _turns(question, question.prompt)
    if question.images:
        turns[-1]["images"] = [Picture(image.name) for image in question.images]
    return {"model": question.model, "messages": turns}


def gemini_body(question: Question) -> Body:
    """POST /v1beta/models/<model>:generateContent."""
    pictures = [{"inlineData": {"mimeType": image.mime, "data": Picture(image.name)}} for image in question.images]
    contents = [{"role": "user", "parts": [*_parts(question), *pictures]}]
    system = {"systemInstruction": {"parts": [{"text": question.system}]}} if question.system else {}
    return {**system, "contents": contents}


def gemini_python(question: Question) -> Body:
    """The arguments of google-genai in Python, which names its fields in another way and takes bytes."""
    pictures = [
        {"inline_data": {"mime_type": image.mime, "data": Picture(image.name, raw=True)}} for image in question.images
    ]
    contents = [{"role": "user", "parts": [*_parts(question), *pictures]}]
    config: Body = _system(question, "system_instruction")
    if question.wishes:
        config["http_options"] = {"extra_body": question.wishes}
    return {"model": question.model, "contents": contents, **({"config": config} if config else {})}


def gemini_script(question: Question) -> Body:
    """The arguments of @google/genai in JavaScript."""
    config: Body = _system(question, "systemInstruction")
    if question.wishes:
        config["httpOptions"] = {"extraBody": question.wishes}
    body = {"model": question.model, "contents": gemini_body(question)["contents"]}
    return {**body, **({"config": config} if config else {})}


def _data_url(image: Image) -> Picture:
    return Picture(image.name, f"data:{image.mime};base64,")


def _words(question: Question, kind: str) -> list[Body]:
    return [{"type": kind, "text": question.prompt}] if question.prompt else []


def _parts(question: Question) -> list[Body]:
    return [{"text": question.prompt}] if question.prompt else []


def _system(question: Question, field: str) -> Body:
    return {field: question.system} if question.system else {}


def _turns(question: Question, content: Any) -> list[Body]:
    system = [{"role": "system", "content": question.system}] if question.system else []
    return [*system, {"role": "user", "content": content}]
