"""The paths of the page of settings."""

from django.urls import path

from benchwarmers.operations.settings import views

urlpatterns = [
    path("settings/", views.settings_page, name="settings"),
    path("settings/own-app", views.set_own_app, name="settings-own-app"),
    path("settings/save", views.save_section, name="settings-save"),
]
