"""The paths of the pages of jobs."""

from django.urls import path

from benchwarmers.operations.jobs import views

urlpatterns = [
    path("jobs/", views.jobs_page, name="jobs"),
    path("jobs/rebuild", views.rebuild, name="jobs-rebuild"),
    path("jobs/clear", views.clear_jobs, name="jobs-clear"),
    path("jobs/<int:job>/", views.job_page, name="job"),
    path("jobs/<int:job>/stop", views.stop_job, name="job-stop"),
    path("jobs/<int:job>/again", views.retry_job, name="job-again"),
]
