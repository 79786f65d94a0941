"""The rows of the operations' pages: what curators run, and what everybody of the team may see of it."""

from __future__ import annotations

from typing import Final

from benchwarmers.rights.rule import ANYONE, SIGNED_IN, Row

SIGN_IN: Final = "collections_app.add_endpoint"
SEE_OFFERS: Final = "probes.view_offer"
SEE_WORK: Final = "probes.view_job"
START_WORK: Final = "probes.add_job"
CHANGE_WORK: Final = "probes.change_job"

TAKE_ON: Final = "probes.add_job"

SEE_ENDPOINTS: Final = "collections_app.view_endpoint"
ADD_ENDPOINTS: Final = "collections_app.add_endpoint"
CHANGE_ENDPOINTS: Final = "collections_app.change_endpoint"

SEE_ANSWERS: Final = "suite.view_attempt"
SEE_TASKS: Final = "suite.view_task"
CHANGE_TASKS: Final = "suite.change_task"
BEGIN_PASSES: Final = "suite.add_suitepass"

ADD_COLLECTIONS: Final = "collections_app.add_collection"
CHANGE_COLLECTIONS: Final = "collections_app.change_collection"
CHANGE_SETTINGS: Final = "collections_app.change_setting"

OPERATIONS: Final[dict[str, Row]] = {
    "operations:alert-act": Row(write="collections_app.change_languagemodel"),
    "operations:practice-on": Row(write=ADD_ENDPOINTS),
    "operations:alert-restore": Row(write="collections_app.change_languagemodel"),
    "operations:endpoints": Row(read=SEE_ENDPOINTS),
    "operations:endpoints-found": Row(read=ADD_ENDPOINTS),
    "operations:endpoint-adopt": Row(write=ADD_ENDPOINTS),
    "operations:endpoint-new": Row(read=ADD_ENDPOINTS, write=ADD_ENDPOINTS),
    "operations:endpoint": Row(read=SEE_ENDPOINTS, write=CHANGE_ENDPOINTS),
    "operations:endpoint-default": Row(write=CHANGE_ENDPOINTS),
    "operations:endpoint-key-remove": Row(write=CHANGE_ENDPOINTS),
    "operations:endpoint-remove": Row(write="collections_app.delete_endpoint"),
    "operations:models": Row(read="collections_app.view_languagemodel"),
    "operations:models-act": Row(write="collections_app.change_languagemodel"),
    "operations:model": Row(read="collections_app.view_languagemodel"),
    "operations:model-act": Row(write="collections_app.change_languagemodel"),
    "operations:onboard": Row(read=TAKE_ON),
    "operations:onboard-choose": Row(write=TAKE_ON),
    "operations:onboard-bring-back": Row(write="probes.delete_dismissal"),
    "operations:onboard-ask-again": Row(write=TAKE_ON),
    "operations:onboard-stop": Row(write="probes.change_job"),
    "operations:onboard-clear": Row(write="probes.change_job"),
    "operations:onboard-retry": Row(write=TAKE_ON),
    "operations:onboard-retry-model": Row(write=TAKE_ON),
    "operations:onboard-restore": Row(write="collections_app.change_languagemodel"),
    "operations:sign-ins": Row(read=SIGN_IN),
    "operations:sign-in-begin": Row(write=SIGN_IN),
    "operations:sign-in-app": Row(write=SIGN_IN),
    "operations:sign-in-session": Row(read=SIGN_IN),
    "operations:sign-in-look": Row(write=SIGN_IN),
    "operations:sign-in-end": Row(write="collections_app.change_endpoint"),
    "operations:offer-hubs": Row(read="probes.add_job"),
    "operations:hub": Row(read="probes.add_job", write="probes.add_job"),
    "operations:discover": Row(read=SEE_OFFERS),
    "operations:discover-feeds": Row(read=SEE_OFFERS),
    "operations:discover-refresh": Row(write="probes.add_job"),
    "operations:discover-sources": Row(read="probes.change_connectionfact"),
    "operations:discover-own-app": Row(write="probes.change_ownappprovider"),
    "operations:discover-connection": Row(write="probes.change_connectionfact"),
    "operations:offer": Row(read=SEE_OFFERS),
    "operations:offer-add": Row(write="probes.add_job"),
    "operations:connect": Row(read=ANYONE),  # the session's id is the credential, and works once
    "operations:connect-by-path": Row(read=ANYONE),
    "operations:schedule": Row(read=SEE_WORK),
    "operations:schedule-mode": Row(write=CHANGE_WORK),
    "operations:schedule-times": Row(read=SEE_WORK, write=CHANGE_WORK),
    "operations:schedule-switch": Row(write=CHANGE_WORK),
    "operations:schedule-run": Row(write=START_WORK),
    "operations:settings": Row(read=SIGNED_IN),
    "operations:settings-save": Row(write="collections_app.change_setting"),
    "operations:settings-own-app": Row(write="probes.change_ownappprovider"),
    "operations:info": Row(read=SIGNED_IN),
    "operations:info-checks": Row(read="auth.change_user"),
    "operations:logs": Row(read=SIGNED_IN),
    "operations:logs-output": Row(read=SEE_WORK),
    "operations:jobs": Row(read=SEE_WORK),
    "operations:jobs-rebuild": Row(write=START_WORK),
    "operations:jobs-clear": Row(write=CHANGE_WORK),
    "operations:job": Row(read=SEE_WORK),
    "operations:job-stop": Row(write=CHANGE_WORK),
    "operations:job-again": Row(write=CHANGE_WORK),
    "operations:benchmarks": Row(read=SEE_ANSWERS),
    "operations:suite-answer": Row(read=SEE_ANSWERS),
    "operations:suite-tasks": Row(read=SEE_TASKS),
    "operations:suite-task": Row(read=SEE_TASKS),
    "operations:suite-task-edit": Row(read=CHANGE_TASKS, write=CHANGE_TASKS),
    "operations:suite-task-act": Row(write=CHANGE_TASKS),
    "operations:suite-review": Row(read=CHANGE_TASKS),
    "operations:suite-mine": Row(write=CHANGE_TASKS),
    "operations:suite-decide": Row(write=CHANGE_TASKS),
    "operations:suite-passes": Row(read=BEGIN_PASSES, write=BEGIN_PASSES),
    "operations:collections": Row(read=SIGNED_IN),
    "operations:collection-new": Row(read=ADD_COLLECTIONS, write=ADD_COLLECTIONS),
    "operations:collection": Row(read=SIGNED_IN),
    "operations:collection-edit": Row(read=CHANGE_COLLECTIONS, write=CHANGE_COLLECTIONS),
    "operations:collection-remove": Row(write="collections_app.delete_collection"),
    "operations:collection-aliases": Row(write="collections_app.add_modelalias"),
    "operations:gateway-settings": Row(read=CHANGE_SETTINGS, write=CHANGE_SETTINGS),
}
"""By route, as in the table."""
