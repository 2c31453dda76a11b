# syntax=docker/dockerfile:1
# One image for every role: docs/deployment.md. What is in it is laid out by scripts/image.ts, which a test runs too.

FROM node:24-trixie-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY scripts/prepare.mjs scripts/
RUN node scripts/prepare.mjs install
COPY . .
RUN node scripts/prepare.mjs && node_modules/node/bin/node scripts/image.ts /image

FROM debian:trixie-slim
LABEL org.opencontainers.image.title="Postlark" \
      org.opencontainers.image.description="Self-hosted outreach platform for email, Gmail and WhatsApp campaigns."
RUN groupadd --gid 10001 postlark \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin postlark \
 && install -d -o postlark -g postlark -m 0700 /data
COPY --from=build /image /app
WORKDIR /app
# Everything that is written is below /data, so the root file system may be read-only.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    TMPDIR=/data/tmp \
    NODE_COMPILE_CACHE=/data/cache/node \
    MALLOC_ARENA_MAX=2
USER 10001:10001
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 \
  CMD ["node_modules/node/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node_modules/node/bin/node", "--max-semi-space-size=16", "build/server/main.js"]
