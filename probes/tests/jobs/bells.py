"""What was rung: the messages that lie with the broker of the tests, taken out as they are counted."""

from __future__ import annotations

from queue import Empty

from celery import current_app

from probes.jobs.ring import TASK


def rung() -> dict[str, list[int]]:
    """By queue, the jobs that were rung for since the last look, in order."""
    found: dict[str, list[int]] = {"long": [], "quick": []}
    with current_app.connection_for_read() as connection:
        for name, jobs in found.items():
            queue = connection.SimpleQueue(name)
            try:
                while True:
                    message = queue.get_nowait()
                    message.ack()
                    if message.headers["task"] == TASK:
                        jobs.append(message.payload[0][0])
            except Empty:
                pass
            finally:
                queue.close()
    return found
