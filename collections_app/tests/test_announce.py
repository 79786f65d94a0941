"""What the others are told after a write, and what happens when they cannot be told."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.setting import do_save_settings
from collections_app.announce import GROUP, announce
from collections_app.stamp import bump_stamp, use_stamp
from collections_app.tests.world import World


def test_a_change_moves_the_stamp_once_and_saving_the_same_again_does_not(
    world: World, bumps: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    for expected in (1, 1):
        with django_capture_on_commit_callbacks(execute=True):
            do_save_endpoint(actor=None, name="west", base="https://west.example/v1/")
        assert len(bumps) == expected


def test_open_pages_hear_the_topic(db: None, django_capture_on_commit_callbacks: Any) -> None:
    layer = get_channel_layer()
    channel = async_to_sync(layer.new_channel)()
    async_to_sync(layer.group_add)(GROUP, channel)
    with django_capture_on_commit_callbacks(execute=True):
        do_save_settings(actor=None, max_calls=7)
    assert async_to_sync(layer.receive)(channel) == {"type": "changed", "topics": ["settings"]}


def test_without_a_layer_nothing_is_sent_and_nothing_fails(
    settings: Any, db: None, bumps: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    settings.CHANNEL_LAYERS = {}
    with django_capture_on_commit_callbacks(execute=True):
        announce("x")
    assert bumps == [1]


def test_an_absent_redis_is_told_once_and_fails_no_write(
    settings: Any,
    db: None,
    tmp_path: Any,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Any,
) -> None:
    from collections_app import stamp

    settings.BENCH = replace(settings.BENCH, redis_url=f"unix://{tmp_path}/nobody.sock")
    put_back = use_stamp(stamp._Redis().bump)
    try:
        with caplog.at_level(logging.WARNING), django_capture_on_commit_callbacks(execute=True):
            do_save_settings(actor=None, max_calls=7)
            do_save_settings(actor=None, max_calls=8)
        assert bump_stamp() is False
    finally:
        put_back()
    assert [record.levelname for record in caplog.records if "Redis" in record.message] == ["WARNING"]
