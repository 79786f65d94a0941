"""One of several processes that let in and settle what a key asks: for each key id that comes on a line it asks so many
times at once, and answers with how many were let in.

    python -m gateway.tests.engine.allowance_worker VALKEY_URL DATABASE TIMES
"""

from __future__ import annotations

import asyncio
import os
import sys

import django


async def work(url: str, times: int) -> None:
    from gateway.canon.fault import RateLimited
    from gateway.tests.engine.allowing import Process, limited, over, process

    async def ask(one: Process, key: int) -> bool:
        try:
            taken = await one.take(limited(key, ("requests", "day", 10)))
        except RateLimited:
            return False
        await one.commit(one.row(taken, tokens=5), over(taken))
        return True

    async with process(url, f"worker/{os.getpid()}") as one:
        print("ready", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(sum(await asyncio.gather(*[ask(one, int(line)) for _ in range(times)])), flush=True)


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchwarmers.tests.settings"
    django.setup()
    from gateway.tests.engine import stores

    url, database, times = sys.argv[1:]
    with stores.redirected(NAME=database):
        asyncio.run(work(url, int(times)))


if __name__ == "__main__":
    main()
