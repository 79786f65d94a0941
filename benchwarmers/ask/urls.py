"""The paths of the asking page."""

from django.urls import path

from benchwarmers.ask import route_views, seats, views

app_name = "ask"

urlpatterns = [
    path("ask/", views.ask_page, name="ask"),
    path("ask/stream/", views.ask_stream, name="stream"),
    path("ask/code/", views.code, name="code"),
    path("ask/recent/", views.recent, name="recent"),
    path("ask/route/", route_views.route_page, name="route"),
    path("ask/route/stream/", route_views.route_stream, name="route-stream"),
    path("ask/panels/<str:panel_id>/", seats.board_view, name="board"),
    path("ask/panels/<str:panel_id>/stop/", views.stop, name="stop"),
    path("ask/panels/<str:panel_id>/seats/<str:call>/verdict", seats.save_verdict, name="verdict"),
]
