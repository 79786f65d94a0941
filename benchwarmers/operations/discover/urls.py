"""The paths of the pages of what providers offer."""

from django.urls import path

from benchwarmers.operations.discover import sources, views

urlpatterns = [
    path("discover/", views.discover_page, name="discover"),
    path("discover/refresh", views.refresh, name="discover-refresh"),
    path("discover/feeds", views.feeds_state, name="discover-feeds"),
    path("discover/sources/", sources.sources_page, name="discover-sources"),
    path("discover/sources/own-app", sources.set_own_app, name="discover-own-app"),
    path("discover/sources/connection", sources.set_connection, name="discover-connection"),
    path("discover/<int:number>/", views.offer_page, name="offer"),
    path("discover/<int:number>/add", views.add, name="offer-add"),
]
