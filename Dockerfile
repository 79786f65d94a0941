# Benchwarmers in one container: `docker run -p 127.0.0.1:8122:8122 -e BENCHWARMERS_ADMIN_TOKEN=... -v bench:/data benchwarmers`.
# docker-compose.yml runs its processes one by one, over Postgres. Made from the lock alone; see docs/deploy.md.
FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/app \
    BENCHWARMERS_HOME=/data BENCH_BIND=0.0.0.0 BENCH_PORT=8122
RUN useradd --create-home --uid 10001 bench && install -d -o bench -g bench -m 700 /data
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
# What an installed copy has as `bench` and `benchwarmers`; compiled now, since nobody may write here later.
RUN printf '#!/bin/sh\nexec python -m benchwarmers.cli "$@"\n' > /usr/local/bin/bench \
    && chmod 755 /usr/local/bin/bench && ln -s bench /usr/local/bin/benchwarmers \
    && python -m compileall -q .
USER 10001:10001
VOLUME /data
EXPOSE 8122
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['BENCH_PORT'] + '/health/live', timeout=2)"]
CMD ["python", "-m", "benchwarmers.up"]
