"""Those of allauth's pages that can be reached here, under the names that allauth knows them by.

What is not listed does not exist: sign-up, e-mail addresses, password resets by mail. A view is imported when it is
first asked for; passkeys and codes bring libraries that most processes never need. Where somebody has nothing of what
a page is about, the page leads back to their account.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.module_loading import import_string

MFA = "allauth.mfa"


def _later(route: str, name: str, view: str) -> URLPattern:
    def imported(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        found: HttpResponseBase = import_string(view)(request, **kwargs)
        return found

    return path(route, imported, name=name)


def _own(route: str, name: str, view: str) -> URLPattern:
    def imported(request: HttpRequest) -> HttpResponseBase:
        try:
            found: HttpResponseBase = import_string(view)(request)
        except (Http404, PermissionDenied):
            return redirect("people:account")
        return found

    return path(route, imported, name=name)


urlpatterns = [
    _later("login/", "account_login", "benchwarmers.dashboard.account.sign_in_page"),
    _later("sign-out/", "account_logout", "benchwarmers.dashboard.account.sign_out"),
    _later("login/code/", "mfa_authenticate", f"{MFA}.base.views.authenticate"),
    _later("login/passkey/", "mfa_login_webauthn", f"{MFA}.webauthn.views.login_webauthn"),
    _later("account/", "mfa_index", "benchwarmers.people.account_views.account_page"),
    _later("account/", "mfa_list_webauthn", "benchwarmers.people.account_views.account_page"),
    _later("account/", "socialaccount_connections", "benchwarmers.people.account_views.account_page"),
    _own("account/again/password/", "account_reauthenticate", "allauth.account.views.reauthenticate"),
    _own("account/again/code/", "mfa_reauthenticate", f"{MFA}.base.views.reauthenticate"),
    _own("account/again/passkey/", "mfa_reauthenticate_webauthn", f"{MFA}.webauthn.views.reauthenticate_webauthn"),
    _later("account/codes/", "mfa_activate_totp", f"{MFA}.totp.views.activate_totp"),
    _own("account/codes/off/", "mfa_deactivate_totp", f"{MFA}.totp.views.deactivate_totp"),
    _own("account/recovery/", "mfa_view_recovery_codes", f"{MFA}.recovery_codes.views.view_recovery_codes"),
    _later(
        "account/recovery/new/", "mfa_generate_recovery_codes", f"{MFA}.recovery_codes.views.generate_recovery_codes"
    ),
    _later("account/passkeys/add/", "mfa_add_webauthn", f"{MFA}.webauthn.views.add_webauthn"),
    _later("account/passkeys/<int:pk>/name/", "mfa_edit_webauthn", f"{MFA}.webauthn.views.edit_webauthn"),
    _later("account/passkeys/<int:pk>/remove/", "mfa_remove_webauthn", f"{MFA}.webauthn.views.remove_webauthn"),
    _later("oidc/<slug:provider_id>/", "openid_connect_login", "benchwarmers.people.provider_views.go"),
    _later(
        "oidc/<slug:provider_id>/callback/", "openid_connect_callback", "benchwarmers.people.provider_views.come_back"
    ),
    _later("login/cancelled/", "socialaccount_login_cancelled", "allauth.socialaccount.views.login_cancelled"),
]
