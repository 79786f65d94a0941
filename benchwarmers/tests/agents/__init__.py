"""Agent programs against a fresh installation, judged by the file they were asked to edit: `make test-agents`.

No part of `make test`: the programs are large, are installed by hand or by `install`, and change from week to week.
"""
