# The service as it is deployed: compiled code and production dependencies, run by an ordinary user.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts ./scripts
COPY client ./client
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY web ./web
COPY docs/least-privilege.sql ./docs/
# The client is bundled into the page: without its folder the link to it would lead nowhere.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts && rm node_modules/tank-monitoring-client

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/scripts ./scripts
COPY LICENSE ./
COPY docs/least-privilege.sql ./docs/
# The image's user "node", by number: an orchestrator that refuses root can tell that it is not.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node as PID 1 gets SIGTERM itself, and the service stops politely on it.
CMD ["node", "--max-semi-space-size=8", "dist/main.js"]
