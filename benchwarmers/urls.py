"""Which path leads to which part. Decides nothing; the gateway's own routes are mounted in `asgi`."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, include, path

from benchwarmers.admin_log import note_foreign_pages
from benchwarmers.signin_link import sign_in

admin.autodiscover()
for model in [one for one in admin.site._registry if one.__module__.startswith("allauth.")]:
    admin.site.unregister(model)  # secrets of people and of providers: nothing to look at or to write past the pages
note_foreign_pages(admin.site)


def choose_password(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    """The admin's own form would count no guesses, write nothing down and leave other sessions as they are."""
    return redirect("dashboard:password")


admin.site.password_change = choose_password  # type: ignore[assignment, method-assign]

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("sign-in/<str:uidb64>/<str:token>/", sign_in, name="sign-in"),
    path("", include("gateway.api.urls")),
    path("", include("benchwarmers.dashboard.urls")),
    path("", include("benchwarmers.ask.urls")),
    path("", include("benchwarmers.operations.urls")),
    path("", include("benchwarmers.find.urls")),
    path("", include("benchwarmers.api.urls")),
    path("", include("benchwarmers.people.urls")),
    path("", include("benchwarmers.oauth.urls")),
    path("", include("benchwarmers.people.allauth_urls")),
]
