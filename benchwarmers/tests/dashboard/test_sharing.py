"""A panel that is shared is read by everybody signed in who has its address, and by nobody else."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from collections_app.models import Change
from gateway.models import Reading

As = Callable[[str], Client]


def test_a_shared_panel_opens_for_everybody_signed_in_until_it_is_shared_no_longer(
    as_person: As, bens_panel: str
) -> None:
    where = f"/panels/{bens_panel}/"
    assert as_person("zoe").get(where).status_code == 404
    ben = as_person("ben")
    assert "Share" in ben.get(where).content.decode()
    assert ben.post(f"{where}share", {"shared": "yes"}).status_code == 302
    ben.post(f"{where}share", {"shared": "yes"})
    assert Change.objects.filter(thing="panel", name=bens_panel).count() == 1
    zoe = as_person("zoe")
    page = zoe.get(where).content.decode()
    assert "To sit on." in page
    assert "panel-share" not in page
    assert bens_panel not in zoe.get("/panels/").content.decode()
    assert zoe.post(f"{where}share", {}).status_code == 404
    assert Reading.objects.filter(reader_name="zoe", name=bens_panel).exists()
    assert Client().get(where).status_code == 302
    as_person("ben").post(f"{where}share")
    assert as_person("zoe").get(where).status_code == 404
