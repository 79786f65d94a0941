"""What the gateway did: panels and their seats, conversations and their turns, the ledger of calls and its sums, what
providers said is left, and the models that must rest."""

from gateway.models.call import Call
from gateway.models.conversation import Conversation, Turn
from gateway.models.cooldown import Cooldown
from gateway.models.panel import Panel, Seat
from gateway.models.quota import Quota
from gateway.models.reading import Reading
from gateway.models.shadow import Shadow
from gateway.models.usage import KeySpend, UsageDay, UsageShare

__all__ = [
    "Call",
    "Conversation",
    "Cooldown",
    "KeySpend",
    "Panel",
    "Quota",
    "Reading",
    "Seat",
    "Shadow",
    "Turn",
    "UsageDay",
    "UsageShare",
]
