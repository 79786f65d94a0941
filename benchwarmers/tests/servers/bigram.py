"""Writes a model for llama.cpp whose answers are known beforehand: run by the server's own Python.

The weights of attention and of the feed-forward layer are zero, embeddings are one-hot, so the output layer is a table
from the last token to the next. It says ANSWER; offered tools, it begins a call of one by itself, and the server's
grammar, which is made of the tool's schema, leaves it one way through. Tokens are bytes, so it reads any prompt.
"""

from __future__ import annotations

import sys
from itertools import pairwise

import gguf
import numpy as np

WIDTH = 512
HEADS = 8
INNER = 32
CONTEXT = 65_536
END, START, CALL, ARGUMENTS = "<|end|>", "<|start|>", "[TOOL_CALLS]", "[ARGS]"
TEMPLATE = """
{%- for message in messages %}
{%- if message.role == "tool" %}[TOOL_RESULTS]{{ message.content }}[/TOOL_RESULTS]
{%- else %}<|start|>{{ message.role }}
{% if message.content %}{{ message.content }}{% endif %}
{%- if message.tool_calls %}{% for call in message.tool_calls %}[TOOL_CALLS]{{ call.function.name }}[ARGS]
{{- call.function.arguments | tojson }}{% endfor %}{% endif %}<|end|>
{%- endif %}
{%- endfor %}
{%- if tools %}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}
{%- if add_generation_prompt %}<|start|>assistant
{% if tools and messages[-1].role != "tool" %}|{% endif %}{% endif %}"""
"""A generation prompt that ends with a bar is answered with a call."""
ANYWHERE = {END: 20, '"': 15, "}": 14, "]": 13, "1": 12, "{": 5, ":": 4, "0": 3, ",": 2}
ANSWER = "uncopyrightable. Fkd!"
"""No letter twice: what comes next depends on the last one alone."""
AFTER = {
    **{last: {following: 40} for last, following in pairwise(f"\n{ANSWER}")},
    "|": {CALL: 60},
    "1": {"}": 40, ",": 39},
}
"""How much each token is wanted next: anywhere, and after one. Letters are wanted a little, others not at all."""
SHARPNESS = 10
"""So much that sampling at a temperature of 1 takes the best that the grammar lets through."""


def byte_letters() -> list[str]:
    """The letter that stands for each byte in vocabularies of this kind."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    letters = {byte: chr(byte) for byte in plain} | {byte: chr(256 + place) for place, byte in enumerate(rest)}
    return [letters[byte] for byte in range(256)]


def wanted(specials: list[str]) -> np.ndarray:
    """The table: rows are the last token, columns the next."""

    def number(token: str) -> int:
        return 256 + specials.index(token) if token in specials else ord(token)

    size = 256 + len(specials)
    table = np.full((size, size), -30, np.float32)
    for letter in "abcdefghijklmnopqrstuvwxyz":
        table[:, ord(letter)] = 1
    table[:, ord(" ")], table[:, ord("\n")] = -5, -6
    for token, much in ANYWHERE.items():
        table[:, number(token)] = much
    for last, following in AFTER.items():
        for token, much in following.items():
            table[number(last), number(token)] = much
    return table


def write(path: str) -> None:
    specials = [END, START, CALL, ARGUMENTS]
    letters = byte_letters()
    file = gguf.GGUFWriter(path, "llama")
    file.add_name("bigram")
    file.add_context_length(CONTEXT)
    file.add_embedding_length(WIDTH)
    file.add_block_count(1)
    file.add_feed_forward_length(INNER)
    file.add_head_count(HEADS)
    file.add_head_count_kv(HEADS)
    file.add_rope_dimension_count(WIDTH // HEADS)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_vocab_size(256 + len(specials))
    file.add_file_type(0)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("default")
    file.add_token_list([*letters, *specials])
    file.add_token_types([1] * 256 + [3, 3, 4, 4])
    file.add_token_merges([f"{letters[0]} {letters[0]}"])  # there must be one; this makes no token
    file.add_bos_token_id(257)
    file.add_eos_token_id(256)
    file.add_add_bos_token(False)
    file.add_chat_template(TEMPLATE)
    _weights(file, wanted(specials))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def _weights(file: gguf.GGUFWriter, table: np.ndarray) -> None:
    size = len(table)
    one_hot = np.zeros((size, WIDTH), np.float32)
    one_hot[np.arange(size), np.arange(size)] = 1
    output = np.zeros((size, WIDTH), np.float32)
    # The last norm stretches a one-hot vector by the root of its width.
    output[:, :size] = table.T * (SHARPNESS / np.sqrt(WIDTH))
    ones = np.ones(WIDTH, np.float32)
    file.add_tensor("token_embd.weight", one_hot)
    file.add_tensor("output_norm.weight", ones)
    file.add_tensor("output.weight", output)
    for name in ("attn_norm", "ffn_norm"):
        file.add_tensor(f"blk.0.{name}.weight", ones)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        file.add_tensor(f"blk.0.{name}.weight", np.zeros((WIDTH, WIDTH), np.float32))
    for name, shape in {"gate": (INNER, WIDTH), "up": (INNER, WIDTH), "down": (WIDTH, INNER)}.items():
        file.add_tensor(f"blk.0.ffn_{name}.weight", np.zeros(shape, np.float32))


if __name__ == "__main__":
    write(sys.argv[1])
