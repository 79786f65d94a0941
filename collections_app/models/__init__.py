"""The catalogue's tables, one concept a file."""

from collections_app.models.alert import Alert
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
from collections_app.models.people import Invitation, Preference, ServiceAccount, Team
from collections_app.models.secret import Secret
from collections_app.models.setting import Setting
from collections_app.models.sign_in import OwnApp, SignIn, SignInSession
from collections_app.models.signed_program import SignedProgram
from collections_app.models.token import PersonalToken

__all__ = [
    "Alert",
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
    "OwnApp",
    "PersonalToken",
    "Preference",
    "Seating",
    "Secret",
    "ServiceAccount",
    "Setting",
    "SignIn",
    "SignInSession",
    "SignedProgram",
    "Standing",
    "Team",
    "Verdict",
]
