"""The paths of the pages."""

from django.urls import path

from benchwarmers.dashboard import (
    account,
    changes_views,
    claims_views,
    contribution_views,
    conversation_views,
    judge_import,
    judge_views,
    keys_views,
    quotas_views,
    shadow_views,
    usage_views,
    views,
)
from benchwarmers.operations.home.views import home

app_name = "dashboard"

urlpatterns = [
    path("", home, name="home"),
    path("login/", account.sign_in_page, name="login"),
    path("sign-out/", account.sign_out, name="sign-out"),
    path("password/", account.password_page, name="password"),
    path("theme/", account.choose_theme, name="theme"),
    path("panels/", views.panels_page, name="panels"),
    path("panels/<str:panel_id>/", views.panel_page, name="panel"),
    path("panels/<str:panel_id>/live/", views.panel_live, name="panel-live"),
    path("panels/<str:panel_id>/seats/<str:call>/", views.seat_card, name="seat"),
    path("panels/<str:panel_id>/seats/<str:call>/verdict", views.save_verdict, name="verdict"),
    path("panels/<str:panel_id>/claims/<str:key>/", claims_views.change_claim, name="claim"),
    path("changes/", changes_views.changes_page, name="changes"),
    path("changes/readings/", changes_views.readings_page, name="readings"),
    path("judge/", judge_views.judge_page, name="judge"),
    path("judge/import/", judge_import.import_page, name="judge-import"),
    path("judge/<str:call>/verdict", judge_views.judge_seat, name="judge-seat"),
    path("usage/", usage_views.usage_page, name="usage"),
    path("usage/export", usage_views.usage_export, name="usage-export"),
    path("usage/table", usage_views.usage_table, name="usage-table"),
    path("quotas/", quotas_views.quotas_page, name="quotas"),
    path("evidence/<str:collection>/", contribution_views.contribution_page, name="contribution"),
    path("keys/", keys_views.keys_page, name="keys"),
    path("keys/new/", keys_views.new_key_page, name="key-new"),
    path("keys/<int:key>/", keys_views.key_page, name="key"),
    path("keys/<int:key>/rotate", keys_views.rotate_key, name="key-rotate"),
    path("keys/<int:key>/revoke", keys_views.revoke_key, name="key-revoke"),
    path("conversations/", conversation_views.conversations_page, name="conversations"),
    path("conversations/<str:conversation_id>/", conversation_views.conversation_page, name="conversation"),
    path("conversations/<str:conversation_id>/live/", conversation_views.conversation_live, name="conversation-live"),
    path(
        "conversations/<str:conversation_id>/calls/<str:call>/verdict",
        conversation_views.save_member_verdict,
        name="member-verdict",
    ),
    path("conversations/<str:conversation_id>/shadows/<int:turn>/", shadow_views.shadow_page, name="shadow"),
    path(
        "conversations/<str:conversation_id>/shadows/<int:turn>/verdict",
        shadow_views.save_shadow_verdict,
        name="shadow-verdict",
    ),
]
