"""The paths of the pages of endpoints."""

from django.urls import path

from benchwarmers.operations.endpoints import acts, form_views, views

urlpatterns = [
    path("endpoints/", views.endpoints_page, name="endpoints"),
    path("endpoints/found/", views.found_here, name="endpoints-found"),
    path("endpoints/adopt/", acts.adopt, name="endpoint-adopt"),
    path("endpoints/new/", form_views.new_endpoint, name="endpoint-new"),
    path("endpoints/<str:name>/", form_views.endpoint_page, name="endpoint"),
    path("endpoints/<str:name>/default/", acts.make_default, name="endpoint-default"),
    path("endpoints/<str:name>/key/remove/", acts.remove_key, name="endpoint-key-remove"),
    path("endpoints/<str:name>/remove/", acts.remove, name="endpoint-remove"),
]
