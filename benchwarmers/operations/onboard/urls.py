"""The paths of the page on which models are taken on."""

from django.urls import path

from benchwarmers.operations.onboard import views

urlpatterns = [
    path("onboard/", views.onboard_page, name="onboard"),
    path("onboard/choose", views.choose, name="onboard-choose"),
    path("onboard/bring-back", views.bring_back, name="onboard-bring-back"),
    path("onboard/ask-again", views.ask_again, name="onboard-ask-again"),
    path("onboard/stop", views.stop, name="onboard-stop"),
    path("onboard/clear", views.clear, name="onboard-clear"),
    path("onboard/retry", views.retry, name="onboard-retry"),
    path("onboard/retry-model", views.retry_model, name="onboard-retry-model"),
    path("onboard/restore", views.restore, name="onboard-restore"),
]
