"""How people come in and who they are: sign-in by password, link, provider or passkey, second factors, sessions,
invitations, teams and service accounts. What is written goes through actions; allauth's pages appear in our own look.
"""
