FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 BENCHWARMERS_HOME=/data
RUN useradd --create-home --uid 10001 bench && install -d -o bench -g bench -m 700 /data
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
USER bench
VOLUME /data
EXPOSE 8122
CMD ["python", "-m", "benchwarmers.serve"]
