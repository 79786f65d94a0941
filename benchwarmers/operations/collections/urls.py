"""The paths of the pages of collections. No collection's name begins with a hyphen."""

from django.urls import path

from benchwarmers.operations.collections import edit_views, gateway_views, views

urlpatterns = [
    path("collections/", views.collections_page, name="collections"),
    path("collections/new/", edit_views.new_collection, name="collection-new"),
    path("collections/-/gateway/", gateway_views.gateway_settings, name="gateway-settings"),
    path("collections/<str:name>/", views.collection_page, name="collection"),
    path("collections/<str:name>/edit/", edit_views.edit_collection, name="collection-edit"),
    path("collections/<str:name>/aliases", views.change_aliases, name="collection-aliases"),
    path("collections/<str:name>/remove", views.remove_collection, name="collection-remove"),
]
