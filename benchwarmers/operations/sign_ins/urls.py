"""The paths of sign-ins to providers, and the address that providers lead back to."""

from django.urls import path

from benchwarmers.operations.sign_ins import callback, views

urlpatterns = [
    path("sign-ins/", views.sign_ins, name="sign-ins"),
    path("sign-ins/start/", views.begin, name="sign-in-begin"),
    path("sign-ins/app/", views.choose_app, name="sign-in-app"),
    path("sign-ins/<int:number>/", views.session, name="sign-in-session"),
    path("sign-ins/<int:number>/state/", views.look, name="sign-in-look"),
    path("sign-ins/of/<str:name>/end/", views.end, name="sign-in-end"),
    path("connect/callback", callback.came_back, name="connect"),
    path("connect/callback/<str:session_id>", callback.came_back, name="connect-by-path"),
]
