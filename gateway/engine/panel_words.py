"""Hears the words of one call and passes them on, from the first that says something: what fails before it can be told
otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gateway.canon.event import Event, TextDelta


class Words:
    """A listener of a call. `said` is True once words were passed on; they go out under the index `choice`."""

    def __init__(self, tell: Callable[[TextDelta], None], choice: int = 0) -> None:
        self.said = False
        self._tell = tell
        self._choice = choice
        self._blank: list[str] = []

    def began(self) -> None:
        """An answer begins; what was held of an earlier one does not count."""
        self._blank.clear()

    def hear(self, events: Sequence[Event]) -> None:
        """Holds white space back until something is said."""
        for event in events:
            if isinstance(event, TextDelta) and event.text:
                self._word(event)

    def _word(self, event: TextDelta) -> None:
        if self.said:
            self._tell(TextDelta(event.text, choice=self._choice))
            return
        self._blank.append(event.text)
        if event.text.strip():
            self.said = True
            self._tell(TextDelta("".join(self._blank), choice=self._choice))
