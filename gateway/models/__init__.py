"""What the gateway did: panels and their seats, the ledger of calls, and the models that must rest."""

from gateway.models.call import Call
from gateway.models.cooldown import Cooldown
from gateway.models.panel import Panel, Seat

__all__ = ["Call", "Cooldown", "Panel", "Seat"]
