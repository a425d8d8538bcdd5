# syntax=docker/dockerfile:1

FROM rust:1.95-bookworm AS builder
WORKDIR /src
COPY . .
# The caches stay on the build host; only the binary is copied to the next stage.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/usr/local/cargo/git \
    --mount=type=cache,target=/src/target \
    cargo build --locked --profile dist --package api --bin telar \
 && install -D -m 0755 target/dist/telar /out/telar

FROM debian:bookworm-slim
RUN groupadd --gid 10001 telar \
 && useradd --uid 10001 --gid telar --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin telar \
 && install -d -o telar -g telar -m 0750 /data
COPY --from=builder /out/telar /usr/local/bin/telar
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/telar/

ENV TELAR_BIND=0.0.0.0:8080 \
    TELAR_DATA_DIR=/data
# /data holds the embedded store and the generated keys: mount a volume there. It is unused with Postgres, TELAR_SIGNING_KEY and
# TELAR_STORAGE_KEY, so it is not declared as a volume, which would leave an anonymous one behind for every container.
EXPOSE 8080
USER 10001:10001

# Requests /readyz with bash alone, because the base image has no HTTP client.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${TELAR_BIND##*:} && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]

ENTRYPOINT ["telar"]
