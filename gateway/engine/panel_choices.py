"""Tells a panel as several answers side by side: one choice a seat, in the order of the seats, each word by word.

Each choice ends with the reason of its own model. The end of the last one to end is the end of the reply.
"""

from __future__ import annotations

from typing import ClassVar, Final

from gateway.canon.event import Event, Finish, TextDelta
from gateway.canon.kinds import SeatStatus
from gateway.engine import panel_text
from gateway.engine.order import Listener
from gateway.engine.panel import PanelRun
from gateway.engine.panel_fields import How
from gateway.engine.panel_words import Words
from gateway.engine.records import SeatRow

HOW: Final = How("choices")


class ChoicesRun(PanelRun):
    """One panel under way whose seats are choices."""

    mode: ClassVar[str] = "choices"

    @property
    def _one_document(self) -> bool:
        """Each choice is a document of its own."""
        return False

    def _quorum(self) -> int:
        """Every choice comes to its end."""
        return len(self._rows)

    def _open(self) -> None:
        """Every choice begins at once, so that a client can lay them out."""
        self._words = [Words(self._tell, choice) for choice in range(len(self._rows))]
        self._last = Finish.STOP
        self._tell(*[TextDelta("", choice=choice) for choice in range(len(self._rows))])

    def _listener(self, index: int) -> Listener | None:
        return self._words[index]

    def _seat_done(self, index: int) -> None:
        row = self._rows[index]
        text, finish = self._trouble(row, after=self._words[index].said), _finish_of(row)
        if any(one.finished_at is None for one in self.seats):
            self._tell(TextDelta(text, choice=index, finish=finish))
            return
        self._last = finish
        if text:
            self._tell(TextDelta(text, choice=index))

    def _tail(self) -> list[Event]:
        return self._ending(HOW, self._last)

    def _all(self) -> list[Event]:
        texts = [
            TextDelta(
                row.answer + self._trouble(row, after=bool(row.answer.strip())), choice=choice, finish=_finish_of(row)
            )
            for choice, row in enumerate(self.seats)
        ]
        return [*texts, *self._ending(HOW)]

    def _trouble(self, row: SeatRow, *, after: bool) -> str:
        """What is told where a seat gave no answer, or not to its end. Whoever asks for JSON reads no words in its
        place: the bench object tells."""
        words = panel_text.trouble(row)
        if not words or self._ask.output is not None:
            return ""
        return f"{panel_text.close_fence(row.answer)}\n\n{words}" if after else words


def _finish_of(row: SeatRow) -> Finish:
    """Why this seat's model stopped; a failure has no word of its own in any format."""
    return Finish(row.finish) if row.finish and row.status != SeatStatus.ERROR else Finish.STOP
