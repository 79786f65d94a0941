"""Django's settings, made from the environment by one typed reader.

Stops with one sentence when the environment makes no sense. Imports without Redis, without a database and without
secrets, and creates no file: without a stored key a throw-away one is used, and every process that serves people
makes the stored ones first (`secret_files`).
"""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

from benchwarmers.database import database
from benchwarmers.env import read_environment
from benchwarmers.env_values import BadSetting
from benchwarmers.languages import languages_in, speak
from benchwarmers.redis_address import broker_options, broker_url, cache_options, layer_host

BASE_DIR = Path(__file__).resolve().parent.parent
SHIPPED_TEMPLATES = Path(__file__).resolve().parent / "templates"
"""Where the templates are in an installed copy. A clone has them in a folder beside the packages."""

try:
    BENCH = read_environment()
    DATABASES = {"default": database(BENCH.database_url, BENCH.home)}
except BadSetting as refusal:
    raise SystemExit(f"benchwarmers: {refusal}") from None

SECRET_KEY = BENCH.secret_key or secrets.token_urlsafe(48)
DEBUG = False
HTTPS = bool(BENCH.public_url and BENCH.public_url.startswith("https://"))

# Host names only; the gateway's guard also compares the port.
ALLOWED_HOSTS = sorted({re.sub(r":\d+$", "", host) for host in BENCH.allowed_hosts})

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",  # the admin modules load with `urls`, in the web process only
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "channels",
    "django_celery_beat",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *(["allauth.socialaccount.providers.openid_connect"] if BENCH.sign_in.providers else []),  # brings an HTTP client
    "allauth.usersessions",
    "allauth.idp.oidc",
    "collections_app",
    "gateway",
    "probes",
    "suite",
    "benchwarmers",
]

MIDDLEWARE = [
    "benchwarmers.real_address.RealAddress",
    "django.middleware.security.SecurityMiddleware",
    "benchwarmers.static_files.StaticFiles",
    "benchwarmers.compress.CompressPages",
    "benchwarmers.csp.ContentSecurityPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "benchwarmers.around.NameCaller",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "benchwarmers.no_nul.NoNul",
    "allauth.account.middleware.AccountMiddleware",
    "benchwarmers.people.sessions.LastSeen",
    "benchwarmers.api.person.TokenPerson",
    "benchwarmers.rights.enforce.Rights",  # after those who know the person and whether a script asks
]

ROOT_URLCONF = "benchwarmers.urls"
ASGI_APPLICATION = "benchwarmers.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [SHIPPED_TEMPLATES if SHIPPED_TEMPLATES.is_dir() else BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {
                "bench": "benchwarmers.dashboard.templatetags.bench",
                "intervals": "benchwarmers.dashboard.templatetags.intervals",
                "lineups": "benchwarmers.dashboard.templatetags.lineups",
                "money": "benchwarmers.dashboard.templatetags.money",
                "sheets": "benchwarmers.dashboard.templatetags.sheets",
            },
        },
    },
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
AUTHENTICATION_BACKENDS = ["benchwarmers.people.backend.People"]
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 7 * 24 * 3600

ACCOUNT_ADAPTER = "benchwarmers.people.account_adapter.AccountAdapter"
ACCOUNT_FORMS = {"reauthenticate": "benchwarmers.people.code_forms.PasswordAgainForm"}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = False
# Guesses are counted by `dashboard.throttle`, which lets everybody in while the cache is away.
ACCOUNT_RATE_LIMITS = False
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
MFA_ADAPTER = "benchwarmers.people.second_factor.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "benchwarmers.people.code_forms.CodeForm",
    "reauthenticate": "benchwarmers.people.code_forms.CodeAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Benchwarmers"
MFA_TOTP_TOLERANCE = 1
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_RATE_LIMITS = {"webauthn_login": ""}  # nothing can be guessed there
SOCIALACCOUNT_ADAPTER = "benchwarmers.people.admission.SocialAdapter"
SOCIALACCOUNT_LOGIN_ON_GET = True  # a form would be stopped on its way to the provider by our own policy
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": one.name,
                "name": one.label,
                "client_id": one.client_id,
                "secret": one.client_secret,
                "settings": {"server_url": one.issuer},
            }
            for one in BENCH.sign_in.providers
        ],
    }
}

IDP_OIDC_ADAPTER = "benchwarmers.oauth.adapter.ProgramAdapter"
IDP_OIDC_DCR_ENABLED = True  # whether it is offered says `oauth.registering`
IDP_OIDC_DCR_REQUIRES_INITIAL_ACCESS_TOKEN = False
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = 30 * 24 * 3600
IDP_OIDC_RATE_LIMITS = False  # counted by `dashboard.throttle` too

EMAIL_HOST = BENCH.mail.host
EMAIL_PORT = BENCH.mail.port
EMAIL_HOST_USER = BENCH.mail.user
EMAIL_HOST_PASSWORD = BENCH.mail.password
EMAIL_USE_SSL = BENCH.mail.tls
EMAIL_USE_TLS = bool(BENCH.mail.host) and not BENCH.mail.tls and not BENCH.mail.plain
EMAIL_TIMEOUT = 30
DEFAULT_FROM_EMAIL = BENCH.mail.sender

LANGUAGE_CODE = "en-gb"
TIME_ZONE = BENCH.time_zone
USE_TZ = True
USE_I18N = True
LOCALE_PATHS = [BASE_DIR / "benchwarmers" / "locale"]
LANGUAGES = languages_in(LOCALE_PATHS[0])
MIDDLEWARE = speak(MIDDLEWARE, LANGUAGES)

STATIC_URL = "/static/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "benchwarmers.static_versions.VersionedStatic"},
}
# Served from the app folders by WhiteNoise's own finder scan, so that no collectstatic step is needed.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
WHITENOISE_ALLOW_ALL_ORIGINS = False

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"  # Strict would lose the session on the way in from a sign-in link
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 7 * 24 * 3600
SESSION_COOKIE_NAME = "bw_session"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SECURE = HTTPS
CSRF_TRUSTED_ORIGINS = list(BENCH.allowed_origins)
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 30 * 24 * 3600 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {"TITLE": "Benchwarmers", "VERSION": "1", "SERVE_INCLUDE_SCHEMA": False}

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": [BENCH.redis_url],
        "KEY_PREFIX": "benchwarmers",
        "OPTIONS": cache_options(BENCH.redis_url),
    },
}

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [layer_host(BENCH.redis_url)], "prefix": "benchwarmers"},
    },
}

CELERY_BROKER_URL = broker_url(BENCH.redis_url)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A task that a dead worker held comes back after `visibility_timeout`; the sweep that notices runs every
# `unacked_restore_interval` seconds and at each try, not at every tenth as by default. Whoever sends waits about a
# second for a broker that is away.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "connect_retries_timeout": 1,
    "interval_start": 0.2,
    "interval_step": 0.2,
    "interval_max": 0.4,
    "visibility_timeout": 900,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    **broker_options(BENCH.redis_url),
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "quick"
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {"quick": {}, "long": {}}
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_BACKEND = None
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_TIMEZONE = TIME_ZONE

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "benchwarmers.log.LineFormatter"},
        "json": {"()": "benchwarmers.log.json_formatter"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": BENCH.log_format}},
    "root": {"handlers": ["stderr"], "level": BENCH.log_level},
    "loggers": {
        "django": {"handlers": [], "propagate": True, "level": BENCH.log_level},
        "django.server": {"handlers": [], "propagate": True},
        "httpx": {"level": "WARNING"},  # it logs whole addresses at INFO
        "aiohttp.access": {"level": "WARNING"},
        # Each says at INFO that a task came, that it went and how: every ten seconds, for the sweep of jobs alone.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}
