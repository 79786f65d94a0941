"""The paths of the pages of the schedule."""

from django.urls import path

from benchwarmers.operations.schedule import views

urlpatterns = [
    path("schedule/", views.schedule_page, name="schedule"),
    path("schedule/mode", views.change_mode, name="schedule-mode"),
    path("schedule/<str:kind>/", views.times_page, name="schedule-times"),
    path("schedule/<str:kind>/switch", views.switch_row, name="schedule-switch"),
    path("schedule/<str:kind>/run", views.run_now, name="schedule-run"),
]
