"""The rows of what people's programs ask under /api/. The middleware of tokens has named the person before."""

from __future__ import annotations

from typing import Final

from benchwarmers.rights.rule import SIGNED_IN, Row

ASK: Final = "gateway.ask"
SEE_MODELS: Final = "collections_app.view_languagemodel"
CHANGE_MODELS: Final = "collections_app.change_languagemodel"
TAKE_ON: Final = "probes.add_job"
SEE_WORK: Final = "probes.view_job"
CHANGE_WORK: Final = "probes.change_job"
SIGN_IN: Final = "collections_app.add_endpoint"
CHANGE_ENDPOINTS: Final = "collections_app.change_endpoint"

API: Final[dict[str, Row]] = {
    "api:status": Row(read=SIGNED_IN),
    "api:models": Row(read=SEE_MODELS),
    "api:model": Row(write=CHANGE_MODELS),
    "api:remove": Row(write=CHANGE_MODELS),
    "api:restore": Row(write=CHANGE_MODELS),
    "api:retry": Row(write=CHANGE_MODELS),
    "api:model-facts": Row(write=CHANGE_MODELS),
    "api:model-options": Row(write=CHANGE_MODELS),
    "api:candidates": Row(read=TAKE_ON),
    "api:dismiss": Row(write="probes.add_dismissal"),
    "api:onboard": Row(read=SEE_WORK, write=TAKE_ON),
    "api:onboard-queue": Row(read=TAKE_ON, write=TAKE_ON),
    "api:onboard-queue-stop": Row(write=CHANGE_WORK),
    "api:onboard-queue-clear": Row(write=CHANGE_WORK),
    "api:discover-model": Row(read="probes.view_offer"),
    "api:discover-add": Row(write=TAKE_ON),
    "api:endpoints": Row(read="collections_app.view_endpoint"),
    "api:endpoint": Row(write=CHANGE_ENDPOINTS),
    "api:endpoint-remove": Row(write="collections_app.delete_endpoint"),
    "api:endpoint-default": Row(write=CHANGE_ENDPOINTS),
    "api:connect": Row(read=SIGN_IN),
    "api:connect-start": Row(write=SIGN_IN),
    "api:connect-poll": Row(write=SIGN_IN),
    "api:connect-app": Row(write=SIGN_IN),
    "api:own-client-free": Row(read=SIGNED_IN, write=SIGNED_IN),
    "api:collections": Row(read=SIGNED_IN),
    "api:collection": Row(write="collections_app.change_collection"),
    "api:collection-remove": Row(write="collections_app.delete_collection"),
    "api:gateway-settings": Row(write="collections_app.change_setting"),
    "api:connections": Row(read="gateway.view_quota"),
    "api:connection-limits": Row(write="collections_app.change_connectionlimit"),
    "api:gateway-seat": Row(read=SIGNED_IN),
    "api:verdict": Row(write="gateway.judge"),
    "api:gateway-keys": Row(read=SIGNED_IN),
    "api:gateway-key": Row(write=ASK),
    "api:gateway-key-remove": Row(write=ASK),
    "api:scheduler": Row(read=SEE_WORK, write=CHANGE_WORK),
    "api:theme": Row(write=SIGNED_IN),
    "api:stamp": Row(read=SIGNED_IN),
    "api:openapi": Row(read=SIGNED_IN),
    "api:client": Row(read=SIGNED_IN, write=SIGNED_IN),
}
"""By route, as in the table."""
