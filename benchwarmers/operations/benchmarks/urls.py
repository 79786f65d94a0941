"""The paths of the pages of the suite."""

from django.urls import path

from benchwarmers.operations.benchmarks import pass_views, review_views, task_views, views

urlpatterns = [
    path("benchmarks/", views.benchmarks_page, name="benchmarks"),
    path("benchmarks/passes/", pass_views.passes_page, name="suite-passes"),
    path("benchmarks/review/", review_views.review_page, name="suite-review"),
    path("benchmarks/review/decide", review_views.decide, name="suite-decide"),
    path("benchmarks/review/mine", review_views.mine, name="suite-mine"),
    path("benchmarks/tasks/", task_views.tasks_page, name="suite-tasks"),
    path("benchmarks/tasks/<str:slug>/", task_views.task_page, name="suite-task"),
    path("benchmarks/tasks/<str:slug>/edit", task_views.edit_page, name="suite-task-edit"),
    path("benchmarks/tasks/<str:slug>/do/<slug:verb>", task_views.act, name="suite-task-act"),
    path("benchmarks/answers/<int:attempt>/", task_views.answer_page, name="suite-answer"),
]
