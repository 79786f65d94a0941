"""The paths of people's own pages, and of the pages about people."""

from django.urls import path

from benchwarmers.people import account_views, invitation_views, people_views, program_views, team_views, token_views

app_name = "people"

urlpatterns = [
    path("account/", account_views.account_page, name="account"),
    path("account/sessions/<int:number>/end/", account_views.end_session, name="end-session"),
    path("account/sessions/end/", account_views.end_others, name="end-others"),
    path("account/providers/<int:number>/remove/", account_views.unlink, name="unlink"),
    path("account/tokens/", token_views.tokens_page, name="tokens"),
    path("account/tokens/<int:number>/revoke/", token_views.revoke_token, name="token-revoke"),
    path("account/programs/<int:number>/sign-out/", token_views.sign_out_program, name="sign-out-program"),
    path("people/", people_views.people_page, name="people"),
    path("people/<str:name>/", people_views.person_page, name="person"),
    path("people/<str:name>/link/", people_views.make_link, name="link"),
    path("people/<str:name>/sessions/end/", people_views.end_sessions, name="end-sessions"),
    path("people/<str:name>/factors/forget/", people_views.forget_factors, name="forget-factors"),
    path("teams/", team_views.teams_page, name="teams"),
    path("teams/<str:name>/", team_views.team_page, name="team"),
    path("teams/<str:name>/delete/", team_views.delete_team, name="delete-team"),
    path("invitations/", invitation_views.invitations_page, name="invitations"),
    path("invitations/<int:number>/revoke/", invitation_views.revoke_invitation, name="revoke-invitation"),
    path("invitation/<str:token>/", invitation_views.invited, name="invited"),
    path("invitation/<str:token>/by/<str:provider_id>/", invitation_views.invited_by_provider, name="invited-by"),
    path("service-accounts/", program_views.programs_page, name="programs"),
    path("service-accounts/<str:name>/", program_views.program_page, name="program"),
]
