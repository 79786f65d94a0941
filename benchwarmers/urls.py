"""Which path leads to which part. Decides nothing; the gateway's own routes are mounted in `asgi`."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
]
