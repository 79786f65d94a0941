"""The paths of the pages of models. `/models` itself is the API's; no alias begins with a hyphen."""

from django.urls import path

from benchwarmers.operations.models import model_views, views

urlpatterns = [
    path("roster/", views.roster_page, name="models"),
    path("roster/-/act", views.act_on_many, name="models-act"),
    path("roster/<str:alias>/", model_views.model_page, name="model"),
    path("roster/<str:alias>/<slug:verb>", model_views.act, name="model-act"),
]
