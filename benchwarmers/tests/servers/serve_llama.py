"""Runs llama.cpp's own server for a model until it is ended: run by the server's own Python, with the model's file, the
port, the name that it is listed by and the key.
"""

from __future__ import annotations

import signal
import sys

import xllamacpp


def serve(path: str, port: str, name: str, key: str) -> None:
    wish = xllamacpp.CommonParams()
    wish.model.path = path
    wish.hostnames = ["127.0.0.1"]
    wish.port = int(port)
    wish.model_alias = [name] if isinstance(wish.model_alias, list) else {name}
    wish.api_keys = [key]
    wish.n_ctx = 49_152
    wish.n_parallel = 1
    wish.cpuparams.n_threads = 1
    wish.use_jinja = True
    wish.warmup = False
    server = xllamacpp.Server(wish)
    print(server.listening_address, flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    serve(*sys.argv[1:])
