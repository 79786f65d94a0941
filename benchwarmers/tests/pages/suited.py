"""Gives a running installation tasks, drafts and answers of the suite.

Run as a program with the variables of that installation.
"""

from __future__ import annotations

import os

RIGHT, WRONG = "FAULT: line 4\nIt subtracts.", "FAULT: line 2\nIt begins at zero."


def fill() -> None:
    """Tasks that three models answered on three days, two pairs of drafts, and a draft that stands alone."""
    from benchwarmers.tests.operations.benchmarks.given import add_claim, add_pair, answer

    asked = [task for number in range(4) for task in add_pair(f"asked-{number}")]
    claims = [add_claim(f"claim-{number}", true=number > 1) for number in range(4)]
    for day in range(3):
        answer({"wren": RIGHT, "osprey": WRONG, "granite-l": "NO FAULT"}, *asked, days=day)
    answer({"wren": "VERDICT: FALSE\nSo it is.", "osprey": "VERDICT: TRUE\nSo it is.", "granite-l": ""}, *claims)
    for name in ("draft-one", "draft-two"):
        add_pair(name, reviewed=False)
    add_claim("draft-zero", reviewed=False)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    fill()
