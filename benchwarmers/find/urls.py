"""The path of the search over everything."""

from django.urls import path

from benchwarmers.find import views

app_name = "find"

urlpatterns = [path("find/", views.find_page, name="find")]
