"""Points models to the names by which a hub lists them since a connection got a prefix."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from collections_app.models import LanguageModel
from collections_app.refusal import Refused
from gateway.canon.fault import UpstreamFault
from probes.health.renamed import OPENWEBUI
from probes.health.repoint import Lister, do_follow_rename
from probes.listing import list_models


class Command(BaseCommand):
    """Only what is listed under the prefix and no longer without it; aliases stay."""

    help = "Point models of a connection of Open WebUI to their names under a new prefix. Without --apply, only say so."
    stealth_options = ("lister",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("connection", help="the connection, as models are tagged with it")
        parser.add_argument("prefix", help="the prefix that its models are listed under, without the dot")
        parser.add_argument("--apply", action="store_true", help="do it")

    def handle(self, *args: Any, **options: Any) -> None:
        lister: Lister = options.get("lister") or list_models
        rows = [row for row in _models() if row.connection == options["connection"]]
        if not rows:
            raise CommandError(f"no model of a connection “{options['connection']}” hangs on a hub of Open WebUI")
        listed: dict[int, set[str]] = {}
        moved = 0
        for row in rows:
            if row.endpoint_id not in listed:
                try:
                    listed[row.endpoint_id] = {one.served for one in lister(row.endpoint)}
                except UpstreamFault as fault:
                    raise CommandError(f"{row.endpoint} cannot be listed: {fault.message}") from fault
            new = f"{options['prefix']}.{row.served}"
            if row.served in listed[row.endpoint_id] or new not in listed[row.endpoint_id]:
                continue
            moved += 1
            self.stdout.write(f"{row.alias}: {row.served} -> {new}")
            if options["apply"]:
                try:
                    do_follow_rename(actor=None, alias=row.alias, served=new)
                except Refused as refusal:
                    raise CommandError(f"{row.alias}: {refusal}") from refusal
        said = "pointed to their new names" if options["apply"] else "would be; repeat with --apply"
        self.stdout.write(f"{moved} of {len(rows)} models {said}")


def _models() -> list[LanguageModel]:
    live = LanguageModel.objects.filter(retired_at=None, endpoint__hub=OPENWEBUI)
    return list(live.select_related("endpoint").order_by("alias"))
