"""Tables of what providers call a failure: their codes, and the few phrases that stand where no code does.

Codes are as gateway.engine.error_words.plain has them: without case and dashes.
"""

from __future__ import annotations

import re
from typing import Final

from gateway.canon.fault import FailureClass


def _all(failure: FailureClass, codes: str) -> dict[str, FailureClass]:
    return dict.fromkeys(codes.split(), failure)


DECISIVE: Final[dict[str, FailureClass]] = {
    **_all(
        FailureClass.OTHER,
        "threadnotfound threadunsupportedrequest toolusefailed previousresponsenotfound filenotfound containernotfound",
    ),
    **_all(
        FailureClass.SIGNIN,
        "invalidapikey apikeyinvalid incorrectapikey authenticationerror unauthenticated accesstokenexpired "
        "tokenexpired invalidauthenticationerror sharingusageunavailable accountdeactivated",
    ),
    **_all(
        FailureClass.STRUCTURAL,
        "modelnotfound modelnotavailable invalidmodel unknownmodel deploymentnotfound modeldecommissioned "
        "modeldeprecated modelnotsupported",
    ),
    **_all(
        FailureClass.ENTITLEMENT,
        "insufficientquota insufficientbalance insufficientcredits exceededcurrentquotaerror billingerror "
        "billinghardlimitreached billingnotactive billingdisabled paymentrequired arrearage servicedisabled "
        "unsupportedcountryregionterritory usagenotincluded modelaccessdenied modelpermissionblockedorg "
        "modeltermsrequired",
    ),
    **_all(
        FailureClass.CAPACITY,
        "ratelimitexceeded ratelimitreached ratelimiterror resourceexhausted toomanyrequests requestlimitexceeded "
        "throttlingexception usagelimitreached usagelimitexceeded contextlengthexceeded toomanytokens "
        "toomanyprompttokens exceedcontextsizeerror requesttoolarge stringabovemaxlength overloadederror "
        "engineoverloadederror serverisoverloaded slowdown",
    ),
    **_all(FailureClass.TIMEOUT, "timeouterror deadlineexceeded"),
}
"""Words that decide whatever the status is."""

STATUSES: Final[dict[int, FailureClass]] = {
    401: FailureClass.SIGNIN,
    402: FailureClass.ENTITLEMENT,
    403: FailureClass.ENTITLEMENT,
    404: FailureClass.STRUCTURAL,
    408: FailureClass.CAPACITY,
    410: FailureClass.STRUCTURAL,
    413: FailureClass.CAPACITY,
    429: FailureClass.CAPACITY,
}

GENERAL: Final[dict[str, FailureClass]] = {
    **_all(FailureClass.ENTITLEMENT, "permissionerror permissiondenied failedprecondition"),
    **_all(FailureClass.STRUCTURAL, "notfounderror notfound"),
    **_all(FailureClass.CAPACITY, "servererror apierror internal internalservererror unavailable serviceunavailable"),
}
"""Words that say no more than a status does: they count where there is none that decides."""

RATE_LIMITS: Final = frozenset(
    _all(
        FailureClass.CAPACITY,
        "ratelimitexceeded ratelimitreached ratelimiterror resourceexhausted toomanyrequests requestlimitexceeded "
        "throttlingexception usagelimitreached usagelimitexceeded slowdown",
    )
)
"""A limit that passes, whatever the status is."""

ACCOUNT_WIDE: Final = frozenset(
    _all(
        FailureClass.ENTITLEMENT,
        "insufficientquota insufficientbalance insufficientcredits exceededcurrentquotaerror billingerror "
        "billinghardlimitreached billingnotactive paymentrequired arrearage usagelimitreached usagelimitexceeded",
    )
)
"""What is used up is the account's, so that every paid model of the connection is refused alike."""

TEXTS: Final = tuple(
    (failure, re.compile(words))
    for failure, words in (
        (
            FailureClass.PAYWALLED,
            r"unavailable for free|use this slug instead|paid version is available|free launch period"
            r"|variant has been retired|no longer (?:available )?(?:for )?free\b",
        ),
        # The request asks for a feature that no provider of the model has; the model itself is there.
        (FailureClass.OTHER, r"no endpoints found that (?:support|can handle)"),
        (
            FailureClass.SIGNIN,
            r"sign in again|(?:incorrect|invalid|expired) (?:x-)?api[- ]key|api[- ]key (?:not valid|is invalid|expired)"
            r"|key was reported as leaked",
        ),
        (FailureClass.ENTITLEMENT, r"no endpoints found matching your"),
        (
            FailureClass.STRUCTURAL,
            r"no endpoints found|(?:unknown|invalid|unsupported) model\b"
            r"|\bmodel\b[^.\n]{0,120}(?:not found|does not exist|doesn't exist|no longer (?:available|supported)"
            r"|has been (?:retired|deprecated|decommissioned|removed))",
        ),
        (
            FailureClass.ENTITLEMENT,
            r"not available in your (?:subscription|plan)|not authorized|unauthorized|permission denied"
            r"|no access to model|insufficient (?:balance|credits?|quota|funds)|payment required|only available on"
            r"|credit balance is too low|location is not supported",
        ),
        (
            FailureClass.CAPACITY,
            r"maximum context length|context[ _-](?:length|window|size)|too many tokens|prompt (?:is )?too long"
            r"|maximum (?:prompt|input) length|input (?:is )?too long|messages is too long|request too large"
            r"|maximum number of tokens allowed|rate[ _-]?limit(?:ed|s)?\b|too many requests|quota exceeded"
            r"|overloaded|request limit reached",
        ),
    )
)
"""What the first words of an error's message mean where no code decides, in the order in which they are tried. All are
lower-case."""

NOTICES: Final = (
    "out of credits",
    "credit balance",
    "insufficient credits",
    "please add credits",
    "top up your",
    "upgrade your plan",
    "upgrade your account",
    "upgrade to continue",
    "daily limit reached",
    "free tier limit",
    "quota has been exhausted",
    "exceeded your current quota",
    "you have reached your",
)
"""Phrases by which a short answer is known to be a notice."""
