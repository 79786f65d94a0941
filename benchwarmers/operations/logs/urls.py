"""The paths of the page of logs."""

from django.urls import path

from benchwarmers.operations.logs import views

urlpatterns = [
    path("logs/", views.logs_page, name="logs"),
    path("logs/output/<int:job>/", views.output, name="logs-output"),
]
