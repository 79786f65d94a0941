"""The paths of the page of information."""

from django.urls import path

from benchwarmers.operations.info import views

urlpatterns = [
    path("info/", views.info_page, name="info"),
    path("info/checks/", views.checks, name="info-checks"),
]
