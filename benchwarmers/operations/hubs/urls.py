"""The path of a hub's page."""

from django.urls import path

from benchwarmers.operations.hubs import views

urlpatterns = [path("endpoints/<slug:name>/hub/", views.hub_page, name="hub")]
