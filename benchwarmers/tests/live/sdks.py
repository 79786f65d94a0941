"""The official SDKs pointed at the product, and what the tests of images and structured output send by them.

Clients are untyped: `bench` is not in any SDK's own types.
"""

from __future__ import annotations

import base64
from typing import Any

import anthropic
import ollama
import openai
from google import genai
from google.genai import types
from pydantic import BaseModel

from benchwarmers.tests.live.product import Product

FIVE = "bench/five"
"""One seat for each API that members speak, all of them the practice squad's `terse`."""
SUM = "What is 17 + 25?"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PNG64 = base64.b64encode(PNG).decode()
PDF64 = base64.b64encode(b"%PDF-1.7\n%%EOF\n").decode()
PICTURE = "https://example.com/a.png"
PAPER = "https://example.com/a.pdf"


class Person(BaseModel):
    name: str
    age: int


FOUND = Person(name="42", age=17)
"""What `terse` makes of `SUM` for a person: its answer, and the first number."""


def gpt(product: Product) -> Any:
    return openai.OpenAI(base_url=f"http://127.0.0.1:{product.port}/v1", api_key="local", max_retries=0)


def claude(product: Product) -> Any:
    return anthropic.Anthropic(base_url=f"http://127.0.0.1:{product.port}", api_key="local", max_retries=0)


def gemini(product: Product) -> Any:
    options = types.HttpOptions(base_url=f"http://127.0.0.1:{product.port}")
    return genai.Client(api_key="local", http_options=options)


def llama(product: Product) -> Any:
    return ollama.Client(host=f"http://127.0.0.1:{product.port}")
