"""The product's settings in a world of their own: a fresh data folder, fixed keys, and no variable of the caller's.

No Redis is assumed: the channel layer and the broker are in memory. A test that needs the real one starts it.
"""

import atexit
import os
import shutil
import tempfile

for _name in [name for name in os.environ if name.startswith(("BENCH", "DATABASE_URL", "REDIS_URL"))]:
    if _name != "BENCH_ARTIFACTS":  # where pictures go is said to the tests, not to what they test
        del os.environ[_name]
_home = tempfile.mkdtemp(prefix="benchwarmers-tests-")
atexit.register(shutil.rmtree, _home, ignore_errors=True)
os.environ |= {
    "BENCHWARMERS_HOME": _home,
    "BENCH_DETECT_HOSTS": "off",
    "BENCHWARMERS_SECRET_KEY": "only-for-tests-and-long-enough-to-pass-the-check",
    "BENCHWARMERS_VAULT_KEY": "dGVzdC1rZXktb25seS1mb3ItdGVzdHMtMzItYnl0ZXM=",
}

from benchwarmers.settings import *  # noqa: E402, F403

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1", "[::1]"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CELERY_BROKER_URL = "memory://"
