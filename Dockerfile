# The server with its web application. It expects PostgreSQL, and Redis or Valkey for several servers: see docs/operating.md.
FROM node:24-bookworm-slim AS build
WORKDIR /hansom
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
WORKDIR /hansom
# Only what runs: sources, tests and whatever else lies in the folder stay behind.
COPY --from=build /hansom/node_modules node_modules
COPY --from=build /hansom/packages/domain/src/languages/packs packages/domain/src/languages/packs
COPY --from=build /hansom/apps/web/dist apps/web/dist
COPY --from=build /hansom/apps/server/package.json apps/server/
COPY --from=build /hansom/apps/server/migrations apps/server/migrations
COPY --from=build /hansom/apps/server/sql apps/server/sql
COPY --from=build /hansom/apps/server/dist apps/server/dist
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "apps/server/dist/main.js"]
