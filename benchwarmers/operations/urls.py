"""The paths of the operations' pages: each page's package has its own."""

from django.urls import URLPattern, URLResolver, include, path

app_name = "operations"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("benchwarmers.operations.home.urls")),
    path("", include("benchwarmers.operations.endpoints.urls")),
    path("", include("benchwarmers.operations.models.urls")),
    path("", include("benchwarmers.operations.onboard.urls")),
    path("", include("benchwarmers.operations.sign_ins.urls")),
    path("", include("benchwarmers.operations.discover.urls")),
    path("", include("benchwarmers.operations.hubs.urls")),
    path("", include("benchwarmers.operations.schedule.urls")),
    path("", include("benchwarmers.operations.jobs.urls")),
    path("", include("benchwarmers.operations.benchmarks.urls")),
    path("", include("benchwarmers.operations.collections.urls")),
    path("", include("benchwarmers.operations.logs.urls")),
    path("", include("benchwarmers.operations.settings.urls")),
    path("", include("benchwarmers.operations.info.urls")),
]
