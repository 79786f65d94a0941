"""The paths of the start page."""

from django.urls import path

from benchwarmers.operations.home import views

urlpatterns = [
    path("practice/on", views.bring_squad, name="practice-on"),
    path("alerts/<int:alert>/<slug:verb>", views.act, name="alert-act"),
    path("alerts/restore/<str:alias>", views.restore, name="alert-restore"),
]
