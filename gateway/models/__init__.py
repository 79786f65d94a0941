"""What the gateway did: panels and their seats, conversations and their turns, the ledger of calls, and the models that
must rest."""

from gateway.models.call import Call
from gateway.models.conversation import Conversation, Turn
from gateway.models.cooldown import Cooldown
from gateway.models.panel import Panel, Seat
from gateway.models.shadow import Shadow

__all__ = ["Call", "Conversation", "Cooldown", "Panel", "Seat", "Shadow", "Turn"]
