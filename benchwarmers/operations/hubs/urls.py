"""The paths of a hub's page, and of what hubs say of an offer."""

from django.urls import path

from benchwarmers.operations.hubs import routes, views

urlpatterns = [
    path("endpoints/<slug:name>/hub/", views.hub_page, name="hub"),
    path("discover/<int:number>/hubs", routes.offer_hubs, name="offer-hubs"),
]
