"""Points models to the names by which a hub lists them since a connection got a prefix."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from collections_app.models import LanguageModel
from collections_app.refusal import Refused
from gateway.canon.fault import UpstreamFault
from probes.health.renamed import OPENWEBUI
from probes.hubs.rename import rename_prefix
from probes.listing import list_models


class Command(BaseCommand):
    """Only what is listed under the prefix and no longer without it; aliases stay."""

    help = "Point models of a connection of Open WebUI to their names under a new prefix. Without --apply, only say so."
    stealth_options = ("lister",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("connection", help="the connection, as models are tagged with it")
        parser.add_argument("prefix", nargs="?", default="", help="its prefix now, without the dot; none for none")
        parser.add_argument("--former", default="", help="the prefix that it had before, if any")
        parser.add_argument("--apply", action="store_true", help="do it")

    def handle(self, *args: Any, **options: Any) -> None:
        connection, moved = options["connection"], 0
        rows = [row for row in _models() if row.connection == connection]
        if not rows:
            raise CommandError(f"no model of a connection “{connection}” hangs on a hub of Open WebUI")
        for endpoint in {row.endpoint_id: row.endpoint for row in rows}.values():
            try:
                done = rename_prefix(
                    endpoint,
                    connection,
                    options["prefix"],
                    former=options["former"],
                    apply=options["apply"],
                    actor=None,
                    lister=options.get("lister") or list_models,
                )
            except UpstreamFault as fault:
                raise CommandError(f"{endpoint} cannot be asked: {fault.message}") from fault
            except Refused as refusal:
                raise CommandError(f"{endpoint}: {refusal}") from refusal
            for move in done.moves:
                self.stdout.write(f"{move.alias}: {move.before} -> {move.now}")
            for line in done.kept:
                self.stdout.write(f"left alone, {line}")
            moved += len(done.moves)
        said = "pointed to their new names" if options["apply"] else "would be; repeat with --apply"
        self.stdout.write(f"{moved} of {len(rows)} models {said}")


def _models() -> list[LanguageModel]:
    live = LanguageModel.objects.filter(retired_at=None, endpoint__hub=OPENWEBUI)
    return list(live.select_related("endpoint").order_by("alias"))
