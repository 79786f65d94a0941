"""`bench completion`: the line that teaches a shell the commands."""

from __future__ import annotations

from typing import Final

import click

from benchwarmers.cli.base import Command


@click.command(
    "completion",
    cls=Command,
    examples=(
        'eval "$(bench completion bash)"',
        "bench completion zsh > ~/.zfunc/_bench",
        "bench completion fish > ~/.config/fish/completions/bench.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.option("--program", default="bench", help="The name that it is typed by; bench or benchwarmers.")
def completion(shell: str, program: str) -> None:
    """Print what a shell needs to complete commands and options."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 click has all three
    root = click.get_current_context().find_root().command
    variable = f"_{program.replace('-', '_').upper()}_COMPLETE"
    click.echo(kind(root, {}, program, variable).source())


COMMANDS: Final = {"completion": completion}
