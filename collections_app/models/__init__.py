"""The catalogue's tables, one concept a file."""

from collections_app.models.alias import ModelAlias
from collections_app.models.change import Change
from collections_app.models.claim import ClaimGroup, ClaimSeat
from collections_app.models.collection import Collection, Seating
from collections_app.models.decision import DecisionModel
from collections_app.models.endpoint import Endpoint
from collections_app.models.evidence import Evidence, Standing, Verdict
from collections_app.models.fact import Fact
from collections_app.models.key import GatewayKey, KeyBudget
from collections_app.models.language_model import AliasHistory, LanguageModel
from collections_app.models.limits import ConnectionLimit
from collections_app.models.people import Invitation, ServiceAccount, Team
from collections_app.models.secret import Secret
from collections_app.models.setting import Setting

__all__ = [
    "AliasHistory",
    "Change",
    "ClaimGroup",
    "ClaimSeat",
    "Collection",
    "ConnectionLimit",
    "DecisionModel",
    "Endpoint",
    "Evidence",
    "Fact",
    "GatewayKey",
    "Invitation",
    "KeyBudget",
    "LanguageModel",
    "ModelAlias",
    "Seating",
    "Secret",
    "ServiceAccount",
    "Setting",
    "Standing",
    "Team",
    "Verdict",
]
