FROM node:24-bookworm-slim

# Programs from outside, in one layer; `node src/main.ts doctor` looks for them.
# The fonts are there because text that is not Latin would otherwise come out as boxes.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    bubblewrap \
    chromium \
    chromium-headless-shell \
    ffmpeg \
    fonts-liberation \
    fonts-noto-color-emoji \
    fonts-noto-core \
    fonts-wqy-zenhei \
    tesseract-ocr \
    tesseract-ocr-ara \
    tesseract-ocr-chi-sim \
    tesseract-ocr-chi-tra \
    tesseract-ocr-deu \
    tesseract-ocr-fra \
    tesseract-ocr-jpn \
    tesseract-ocr-kor \
    tesseract-ocr-rus \
    tesseract-ocr-spa \
    webext-ublock-origin-chromium \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY LICENSE ./
COPY src ./src

# The program itself, not the script of the same name in /usr/bin: killing that script would leave the browser running.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3002 \
  DATA_DIR=/data \
  CHROMIUM_PATH=/usr/lib/chromium/chromium-headless-shell

RUN install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 3002

HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# No shell and no npm in between: SIGTERM reaches the service, which lets running calls finish.
CMD ["node", "--max-semi-space-size=4", "--no-parallel-scavenge", "--initial-old-space-size=40", "--heap-growing-percent=30", "src/main.ts"]
