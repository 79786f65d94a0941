"""Runs the whole product from one command: Valkey, migrations, web, worker and beat, and keeps them running. With `web`
behind it, it runs the web processes of this machine alone, for an installation whose other parts run elsewhere.

Decides the order of starting and stopping and what to restart. Every refusal is one sentence and leaves nothing
behind. Standard library only: this process stays for as long as the product runs and should weigh almost nothing.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchwarmers import valkey
from benchwarmers.child import Child
from benchwarmers.env import Environment, read_environment
from benchwarmers.env_values import BadSetting
from benchwarmers.folder import forget_counts, hold_home, make_home, make_secrets
from benchwarmers.open_files import raise_limit
from benchwarmers.ports import bind, listen
from benchwarmers.webs import COMMAND, PARTING_S, QUICK_STOP_S, Web, Webs

ROOT = Path(__file__).resolve().parent.parent
VALKEY_WITHIN_S = 60.0
INIT_WITHIN_S = 600.0
WEB_WITHIN_S = 60.0
COMMANDS = {
    "init": ("-m", "benchwarmers.manage", "init"),
    "web": COMMAND,
    "worker": ("-m", "benchwarmers.background", "worker"),
    "beat": ("-m", "benchwarmers.background", "beat"),
}
"""What Python is told, by process. Containers and units run the same."""


class Stopped(Exception):
    """A signal asked for the end."""


class Supervisor:
    """The children, in the order they start; stopping goes the other way round. `webs` keeps the web processes."""

    def __init__(self, bench: Environment, sockets: list[socket.socket], *, alone: bool = False) -> None:
        self.bench = bench
        self.sockets = sockets
        self.alone = alone
        self.children: list[Child] = []
        self.renewals: list[Renewal] = []
        self.selector = selectors.DefaultSelector()
        self.lifeline, self._held_end = os.pipe()
        self.stop_asked = 0
        self.stop_politely = False
        self.relief_asked = False
        self.webs = Webs(bench.home, sockets, bench.web_processes, bench.drain_s, self.start, say)
        self._wake, wakes = socket.socketpair()
        self._wake.setblocking(False)
        wakes.setblocking(False)
        self._wakes = wakes
        self.selector.register(self._wake, selectors.EVENT_READ)
        signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask_to_stop)
        # A terminal that is closed sends it too, and takes what it shows along.
        signal.signal(signal.SIGHUP, self._ask_to_stop if has_terminal() else self._ask_for_relief)
        signal.signal(signal.SIGUSR2, self._ask_for_relief)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only to wake the loop

    def run(self) -> None:
        """Start everything in order, then keep it until a signal comes."""
        welcome = ""
        if not self.alone:
            if self.bench.own_valkey:
                self.start_valkey()
            welcome = self.run_init()
        self.start_web()
        say(f"ready at {self.bench.address}")
        sys.stdout.write(welcome)
        sys.stdout.flush()
        if not self.alone:
            several = self.bench.worker_processes > 1
            for number in range(1, self.bench.worker_processes + 1):
                self.start(program("worker", stop_within_s=10, label=f"work{number}" if several else "worker"))
            self.start(program("beat", stop_within_s=5))
        while True:
            self.pump(0.05 if self.webs.busy or self.renewals else 1.0)
            self.restart_dead()
            self.relieve()

    def relieve(self) -> None:
        """Replace processes one by one, once that was asked for: web first, which decides nothing about the others."""
        now = time.monotonic()
        if self.relief_asked:
            self.relief_asked = False
            if self.alone or self.is_prepared():
                self.webs.relieve_all()
        if self.webs.step(now):
            self.renewals = [Renewal(child) for child in self.children if child.name != "valkey"]
        if self.renewals and self.renewals[0].step(now):
            self.renewals.pop(0)

    def start_valkey(self) -> None:
        """Start this home's Valkey and wait until it has loaded its data."""
        path = self.bench.socket_path
        # Systems without a parent-death signal leave it running when `up` was killed. The home's lock is ours.
        if valkey.ask(path, "PING") is not None:
            valkey.ask(path, "SHUTDOWN")
            self.wait_for(lambda: valkey.ask(path, "PING") is None, 10, "The Valkey left from before does not stop.")
        command = valkey.server_command(valkey.find_server(), self.bench.home, path)
        child = self.start(Child("valkey", command, stop_within_s=10))
        answers = lambda: valkey.ask(path, "PING") == "+PONG"  # noqa: E731
        self.wait_for(answers, VALKEY_WITHIN_S, f"Valkey did not answer on {path}.", child)

    def run_init(self) -> str:
        """Migrate and make the first owner in one process; returns what it has to say to a person."""
        child = program("init", stop_within_s=10, keeps_stdout=True)
        self.start(child)
        over = lambda: child.ended() is not None and not child.is_heard  # noqa: E731
        try:
            self.wait_for(over, INIT_WITHIN_S, "The database was not ready in time.")
        except BadSetting:
            self.end([child], child.stop_within_s)
            raise
        finally:
            if not child.is_alive():
                self.children.remove(child)
        if child.ended() != "exit code 0":
            raise BadSetting(f"Preparing the database failed ({child.ended()}); the lines above say why.")
        return child.stdout.decode("utf-8", "replace")

    def is_prepared(self) -> bool:
        """Migrate for the code that is installed by now, which those who run do not know."""
        try:
            self.run_init()
        except BadSetting as refusal:
            say(str(refusal))
            return False
        return True

    def start_web(self) -> None:
        """Start the web processes and wait until they answer."""
        listen(self.sockets)
        for web in self.webs.serving:
            self.start(web)
        for web in self.webs.serving:
            late = f"The process {web.name} did not answer in time."
            self.wait_for(lambda web=web: self.webs.is_open(web), WEB_WITHIN_S, late, web)  # type: ignore[misc]
        self.wait_for(lambda: answers(self.bench), WEB_WITHIN_S, "The web process did not answer in time.")

    def start(self, child: Child) -> Child:
        """Start one child and read its output from now on."""
        if not isinstance(child, Web) and child not in self.children:
            self.children.append(child)
        for descriptor in child.start(time.monotonic(), self.lifeline, str(ROOT)):
            self.selector.register(descriptor, selectors.EVENT_READ, child)
        return child

    def wait_for(self, ready: Callable[[], bool], within_s: float, otherwise: str, child: Child | None = None) -> None:
        """Pass on output until `ready`; refuse with a sentence when the child ends first or the time is up."""
        until = time.monotonic() + within_s
        while not ready():
            self.pump(0.05)
            if child is not None and (how := child.ended()) is not None:
                self.pump(0.1)
                raise BadSetting(f"{child.name} could not start ({how}); the lines above say why.")
            if time.monotonic() > until:
                raise BadSetting(otherwise)

    def pump(self, timeout_s: float) -> bool:
        """Pass on what the children wrote, waiting at most so long; true when there was something.

        :raises Stopped: a signal asked for the end, and stopping has not begun.
        """
        busy = False
        for key, _ in self.selector.select(timeout_s):
            child = key.data
            if child is None:
                drain(self._wake)
                continue
            busy = True
            lines = child.read(key.fd)
            if lines is None:
                self.selector.unregister(key.fd)
                continue
            for line in lines:
                say(line, "" if self.alone else child.name)
        if self.stop_asked == 1:
            self.stop_asked = 2
            raise Stopped
        return busy

    def restart_dead(self) -> None:
        """Plan and do the restarts that are due."""
        now = time.monotonic()
        for child in (*self.children, *self.webs.serving):
            if (how := child.ended()) is not None:
                if isinstance(child, Web):
                    self.webs.forget(child)
                say(f"{child.name} ended ({how}); starting it again in {child.plan_restart(now):g} s")
            elif child.start_at is not None and now >= child.start_at:
                self.start(child)

    def stop(self) -> None:
        """End every child, last started first, the web processes together: politely, then for certain. A second signal
        skips the politeness."""
        self.stop_asked = max(self.stop_asked, 2)
        first = [child for child in self.children if child.name == "valkey"]
        for child in reversed(self.children):
            if child not in first:
                self.end([child], child.stop_within_s)
        self.webs.end_politely(signal.SIGTERM if self.stop_politely else signal.SIGINT)
        self.end(self.webs.all, self.bench.drain_s + PARTING_S if self.stop_politely else QUICK_STOP_S, told=True)
        for child in first:
            self.end([child], child.stop_within_s)

    def end(self, children: Sequence[Child], within_s: float, *, told: bool = False) -> None:
        """Wait until these are gone, and kill who is not in time."""
        until = time.monotonic() + within_s
        for child in children:
            if not told:
                child.signal(signal.SIGTERM)
        while any(child.is_alive() for child in children) and time.monotonic() < until and self.stop_asked < 3:
            self.pump(0.1)
        for child in children:
            if child.is_alive():
                say(f"{child.name} did not stop in time and was killed")
                child.signal(signal.SIGKILL)
            while child.is_alive():
                self.pump(0.05)

    def _ask_to_stop(self, number: int, *_: object) -> None:
        self.stop_asked += 1
        # Alone it is one service of a fleet, whose manager knows how long an end may take.
        self.stop_politely = self.alone and number == signal.SIGTERM

    def _ask_for_relief(self, *_: object) -> None:
        self.relief_asked = True


class Renewal:
    """A child that is to end, so that it is started again."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._process = child.process
        self._kill_at = 0.0

    def step(self, now: float) -> bool:
        """Go on with it; True when another process runs."""
        if self._child.process is not self._process:
            return self._child.process is not None
        if not self._kill_at:
            self._kill_at = now + self._child.stop_within_s
            self._child.signal(signal.SIGTERM)
        elif now > self._kill_at:
            self._child.signal(signal.SIGKILL)
        return False


def program(name: str, *, stop_within_s: float, keeps_stdout: bool = False, label: str = "") -> Child:
    """The child that is one of COMMANDS, under this process's Python."""
    return Child(label or name, [sys.executable, *COMMANDS[name]], stop_within_s, keeps_stdout)


def say(line: str, name: str = "up") -> None:
    """One line on stdout, with who says it before it; a reader that went away does not stop the product."""
    try:
        sys.stdout.write(f"{name:>6} | {line}\n" if name else f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 kept for the process's life


def drain(wake: socket.socket) -> None:
    """Empty the socket that signals write to."""
    try:
        while wake.recv(512):
            pass
    except BlockingIOError:
        return


def answers(bench: Environment) -> bool:
    """True when the web process says it is well."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bench.bind, bench.bind)  # noqa: S104
    try:
        with socket.create_connection((host, bench.port), timeout=1.0) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def has_terminal() -> bool:
    """Whether this process belongs to a terminal."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def main(words: Sequence[str] = ()) -> int:
    """Run until stopped; 0 after a clean stop, 1 after a refusal, 2 for a word that is not known."""
    if list(words) not in ([], ["web"]):
        sys.stderr.write("Say nothing, or `web`: python -m benchwarmers.up [web]\n")
        return 2
    supervisor, lock = None, -1
    try:
        bench = read_environment()
        make_home(bench.home)
        if not words:
            lock = hold_home(bench.home)
            forget_counts(bench.home)
            make_secrets(bench)
        raise_limit()
        supervisor = Supervisor(bench, bind(bench), alone=bool(words))
        supervisor.run()
    except BadSetting as refusal:
        say(str(refusal))
        return 1
    except Stopped:
        say("stopping")
        return 0
    finally:
        if supervisor is not None:
            supervisor.stop()
        if lock >= 0:
            os.close(lock)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
