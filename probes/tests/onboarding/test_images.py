"""Which models make pictures."""

from __future__ import annotations

import pytest

from probes.onboarding.images import makes_images


@pytest.mark.parametrize(
    ("outputs", "served", "makes"),
    [
        (("image",), "plain-name", True),
        (("text", "image"), "plain-name", True),
        (("text",), "flux-dev", False),
        ((), "black-forest/flux-dev", True),
        ((), "openai/gpt-image-1", True),
        ((), "dall-e-3", True),
        ((), "google/imagen-4", True),
        ((), "stabilityai/stable-diffusion-3.5", True),
        ((), "x/sdxl-turbo", True),
        ((), "x/SD3", True),
        ((), "influx-7b", False),
        ((), "imagine-3", False),
        ((), "conflux", False),
    ],
)
def test_by_what_comes_out_and_else_by_a_name_at_the_start_of_a_part(
    outputs: tuple[str, ...], served: str, makes: bool
) -> None:
    assert makes_images(outputs, served) is makes
