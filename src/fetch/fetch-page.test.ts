import { describe, expect, it } from 'vitest'
import type { Page } from '../content/page.ts'
import type { PageClassification } from '../extraction/classify/classify-page.ts'
import { pageParts } from '../extraction/page-parts/parts.ts'
import { startDeadline } from '../platform/deadline.ts'
import { AppError } from '../platform/errors.ts'
import { noTrace } from '../platform/trace/trace.ts'
import { createBrowserPredictor } from './browser-predictor.ts'
import type { Engine, FetchOutcome } from './fetch-outcome.ts'
import { type FetchDeps, fetchPage } from './fetch-page.ts'
import type { FetchPlan } from './fetch-plan.ts'

type Fetches = (url: URL, tier: string) => FetchOutcome

interface Scene {
  http?: Fetches
  chromium?: Fetches
  /** True if the installation has a proxy for the enhanced tier. */
  hasEnhanced?: boolean
}

/** Creates fake engines with the given outcomes. The header x-classification of a page contains its classification. */
function createScene({ http, chromium, hasEnhanced = false }: Scene) {
  const visits: string[] = []
  const sent: FetchPlan['headers'][] = []
  const read: { url: string; classifyMode: string }[] = []
  const createEngines = (name: Engine['name'], fetches: Fetches | undefined): Engine[] => {
    if (!fetches) return []
    const fetch: Engine['fetch'] = async ({ url, headers }, tier) => {
      sent.push(headers)
      visits.push(`${name} ${tier.name} ${url.pathname}`)
      return fetches(url, tier.name)
    }
    return [{ name, fetch }]
  }
  const upstream = hasEnhanced ? new URL('http://proxy.example') : undefined
  const deps: FetchDeps = {
    engines: [...createEngines('http', http), ...createEngines('chromium', chromium)],
    predictor: createBrowserPredictor(() => 0),
    tiers: () => ({
      basic: { name: 'basic', upstream: undefined, asBrowser: false },
      enhanced: { name: 'enhanced', upstream, asBrowser: true },
    }),
    reader: {
      async read(page, { classifyMode }) {
        read.push({ url: page.url, classifyMode })
        const classification: PageClassification = JSON.parse(
          page.headers['x-classification'] ?? '{"kind":"good","notes":[]}',
        )
        const isRead = classifyMode !== 'read-if-good' || classification.kind === 'good'
        return {
          parts: isRead ? pageParts({}) : undefined,
          classification: classifyMode === 'none' ? undefined : classification,
        }
      },
    },
  }
  const fetch = (changes: Partial<FetchPlan> = {}) =>
    fetchPage(deps, { ...plan, ...changes }, startDeadline(5000, 'SCRAPE_TIMEOUT'))
  return { visits, sent, read, fetch }
}

const url = new URL('https://site.example/page')
const plan: FetchPlan = {
  trace: noTrace,
  ...{ teamId: 'team', jobId: 'job', isBackground: false, url, headers: {}, ownHeaders: {}, verifyTls: true },
  ...{ maxBytes: { html: 1e6, text: 1e6, file: 1e6 }, browserReason: undefined, mayUseBrowser: true },
  ...{ proxy: 'auto', isMobile: false, country: undefined, languages: [], blocksAds: false, waitFor: 0 },
  ...{ actions: [], task: undefined, captures: {}, profile: undefined, requestedParts: {} },
  content: { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  permit: { need: () => undefined },
}

interface PageChanges {
  body?: string
  status?: number
  /** True if the page comes from a browser. */
  isRendered?: boolean
  classification?: PageClassification
  headers?: Record<string, string>
}

function fetchedPage(requested: URL, changes: PageChanges = {}): FetchOutcome {
  const { body = '<p>text</p>', status = 200, isRendered = false, classification, headers = {} } = changes
  const page: Page = {
    ...{ requestedUrl: requested.href, url: requested.href, status, fetchedAt: 0 },
    headers: {
      ...headers,
      ...(classification ? { 'x-classification': JSON.stringify(classification) } : {}),
    },
    ...(isRendered ? { bytes: new Uint8Array(), text: body } : { bytes: Buffer.from(body) }),
  }
  return { kind: 'fetched', page, warnings: [] }
}

const failed = (...error: ConstructorParameters<typeof AppError>): FetchOutcome => ({
  kind: 'failed',
  error: new AppError(...error),
})
const empty: PageClassification = { kind: 'needs-browser', reason: 'it is empty', isCertain: true }
const blocked: PageClassification = { kind: 'blocked', reason: 'a challenge' }
const rendered: Fetches = (at) => fetchedPage(at, { isRendered: true })

describe('fetchPage', () => {
  it('does not open a browser if plain HTTP returns a good page', async () => {
    const { fetch, visits } = createScene({ http: (at) => fetchedPage(at), chromium: rendered })
    expect(await fetch()).toMatchObject({ tier: 'basic', warnings: [], page: { url: url.href } })
    expect(visits).toEqual(['http basic /page'])
  })

  it('opens a browser if the page of plain HTTP needs one', async () => {
    const { fetch, visits } = createScene({
      http: (at) => fetchedPage(at, { classification: empty }),
      chromium: rendered,
    })
    const { page, rejection } = await fetch()
    expect(page.text).toBe('<p>text</p>')
    expect(rejection).toBeUndefined()
    expect(visits).toEqual(['http basic /page', 'chromium basic /page'])
  })

  it('starts in a browser if the plan needs one, and throws BROWSER_NOT_CONFIGURED without one', async () => {
    const { fetch, visits } = createScene({ http: (at) => fetchedPage(at), chromium: rendered })
    await fetch({ browserReason: 'actions' })
    expect(visits).toEqual(['chromium basic /page'])
    const withoutBrowser = createScene({ http: (at) => fetchedPage(at) })
    await expect(withoutBrowser.fetch({ browserReason: 'actions' })).rejects.toMatchObject({
      ...{ code: 'BROWSER_NOT_CONFIGURED', detail: { reason: 'actions' } },
    })
  })

  it('fetches a .pdf URL with plain HTTP, and opens a browser if it returns HTML', async () => {
    const file = new URL('https://site.example/table.pdf')
    const pdf = createScene({ http: (at) => fetchedPage(at, { body: '%PDF-1.7' }), chromium: rendered })
    await pdf.fetch({ url: file, browserReason: 'a profile' })
    expect(pdf.visits).toEqual(['http basic /table.pdf'])
    const page = createScene({ http: (at) => fetchedPage(at), chromium: rendered })
    expect((await page.fetch({ url: file, browserReason: 'a profile' })).page.text).toBeDefined()
    expect(page.visits).toEqual(['http basic /table.pdf', 'chromium basic /table.pdf'])
  })

  it('skips plain HTTP for pages of a template after two failures', async () => {
    const { fetch, visits } = createScene({
      http: (at) => fetchedPage(at, { classification: empty }),
      chromium: rendered,
    })
    await fetch()
    await fetch()
    visits.length = 0
    await fetch()
    expect(visits).toEqual(['chromium basic /page'])
  })
})

describe('a page that is rejected on every attempt', () => {
  it('is returned with the reason, and classified and read in one call', async () => {
    const { fetch, read } = createScene({ http: (at) => fetchedPage(at, { classification: empty }) })
    const { rejection, warnings } = await fetch()
    expect(rejection).toEqual(empty)
    expect(warnings).toEqual(['The page seems to need a browser (it is empty), and none is configured.'])
    expect(read.map(({ classifyMode }) => classifyMode)).toEqual(['read-unless-redirect'])
  })

  it('has a warning if the caller forbids a browser', async () => {
    const { fetch, visits } = createScene({
      http: (at) => fetchedPage(at, { classification: empty }),
      chromium: rendered,
    })
    expect((await fetch({ mayUseBrowser: false })).warnings[0]).toContain('fastMode forbids one')
    expect(visits).toEqual(['http basic /page'])
  })

  it('has a warning for a later attempt that failed', async () => {
    const { fetch } = createScene({
      http: (at) => fetchedPage(at, { classification: blocked }),
      chromium: () => failed('SCRAPE_TIMEOUT', {}, { message: 'The browser took too long.' }),
    })
    const { warnings, rejection } = await fetch()
    expect(rejection).toEqual(blocked)
    expect(warnings).toEqual(['The site blocked the request (a challenge).', 'The browser took too long.'])
  })
})

describe('the enhanced tier', () => {
  it('is tried last, with the last engine, if the basic tier was blocked', async () => {
    const chromium: Fetches = (at, tier) =>
      fetchedPage(at, { isRendered: true, ...(tier === 'basic' ? { classification: blocked } : {}) })
    const http: Fetches = (at) => fetchedPage(at, { classification: blocked })
    const { fetch, visits } = createScene({ http, chromium, hasEnhanced: true })
    expect(await fetch()).toMatchObject({ tier: 'enhanced', warnings: [] })
    expect(visits).toEqual(['http basic /page', 'chromium basic /page', 'chromium enhanced /page'])
  })

  it('is not charged if it was blocked as well', async () => {
    const always: Fetches = (at) => fetchedPage(at, { classification: blocked })
    const { fetch, visits } = createScene({ http: always, hasEnhanced: true })
    expect((await fetch()).tier).toBe('basic')
    expect(visits).toEqual(['http basic /page', 'http enhanced /page'])
  })

  it('is tried after a 403, and the first 403 is returned if that changes nothing', async () => {
    const http: Fetches = (at, tier) => fetchedPage(at, { status: 403, body: tier })
    const { fetch } = createScene({ http, hasEnhanced: true })
    const { page, tier } = await fetch()
    expect([page.status, Buffer.from(page.bytes).toString(), tier]).toEqual([403, 'basic', 'basic'])
  })

  it('is not tried after actions, which would run twice', async () => {
    const refuse: Fetches = (at) => fetchedPage(at, { status: 403, isRendered: true })
    const { fetch, visits } = createScene({ chromium: refuse, hasEnhanced: true })
    await fetch({ browserReason: 'actions', actions: [{ type: 'wait', milliseconds: 1 }] })
    expect(visits).toEqual(['chromium basic /page'])
  })

  it('is the basic tier with the fingerprint of a browser if no proxy is configured', async () => {
    const { fetch, visits } = createScene({ http: (at) => fetchedPage(at) })
    expect((await fetch({ proxy: 'enhanced' })).tier).toBe('basic')
    expect(visits).toEqual(['http basic /page'])
  })
})

describe('a fetch that fails', () => {
  it('ends immediately with an error that no other engine can avoid', async () => {
    const { fetch, visits } = createScene({
      http: () => failed('SCRAPE_DNS_RESOLUTION_ERROR'),
      chromium: rendered,
    })
    await expect(fetch()).rejects.toMatchObject({ code: 'SCRAPE_DNS_RESOLUTION_ERROR' })
    expect(visits).toEqual(['http basic /page'])
  })

  it('throws the error of all attempts if it is the same', async () => {
    const { fetch } = createScene({
      http: () => failed('SCRAPE_TIMEOUT'),
      chromium: () => failed('SCRAPE_TIMEOUT'),
    })
    await expect(fetch()).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
  })

  it('lists the error of each attempt if they differ', async () => {
    const { fetch } = createScene({
      http: () => failed('SCRAPE_SITE_ERROR'),
      chromium: () => failed('SCRAPE_TIMEOUT'),
    })
    await expect(fetch()).rejects.toMatchObject({
      code: 'SCRAPE_ALL_ENGINES_FAILED',
      detail: {
        details: [
          { engine: 'http', proxy: 'basic', reason: 'SCRAPE_SITE_ERROR' },
          { engine: 'chromium', proxy: 'basic', reason: 'SCRAPE_TIMEOUT' },
        ],
      },
    })
  })

  it('throws SCRAPE_PAGE_TOO_LARGE for a page above the limit', async () => {
    const { fetch } = createScene({
      http: (at) => fetchedPage(at, { headers: { 'content-type': 'text/html' } }),
    })
    await expect(fetch({ maxBytes: { html: 3, text: 3, file: 3 } })).rejects.toMatchObject({
      code: 'SCRAPE_PAGE_TOO_LARGE',
    })
  })
})

describe('a page that redirects in its HTML', () => {
  const forward = (to: string): PageClassification => ({ ...empty, forward: to })

  it('is followed by plain HTTP, without the headers for the first site, and keeps the requested URL', async () => {
    const { fetch, visits, sent } = createScene({
      http: (at) =>
        fetchedPage(
          at,
          at.pathname === '/page' ? { classification: forward('https://b.example/there') } : {},
        ),
    })
    const { page } = await fetch({ headers: { cookie: 'a=1' } })
    expect(page).toMatchObject({ requestedUrl: url.href, url: 'https://b.example/there' })
    expect(visits).toEqual(['http basic /page', 'http basic /there'])
    expect(sent).toEqual([{ cookie: 'a=1' }, {}])
  })

  it('is not followed in a loop', async () => {
    const { fetch, visits } = createScene({
      http: (at) =>
        fetchedPage(at, { classification: forward(at.pathname === '/page' ? '/other' : '/page') }),
    })
    expect((await fetch()).rejection).toMatchObject({ kind: 'needs-browser' })
    expect(visits).toEqual(['http basic /page', 'http basic /other'])
  })
})

describe('a file that a browser displays', () => {
  const showFile: Fetches = () => ({ kind: 'file', captures: {}, warnings: ['shown'] })

  it('is fetched with plain HTTP', async () => {
    const { fetch, visits } = createScene({
      http: (at) => fetchedPage(at, { body: '%PDF-1.7' }),
      chromium: showFile,
    })
    const { page, warnings } = await fetch({ browserReason: 'a screenshot' })
    expect(Buffer.from(page.bytes).toString()).toBe('%PDF-1.7')
    expect(warnings).toEqual(['shown'])
    expect(visits).toEqual(['chromium basic /page', 'http basic /page'])
  })

  it('rejects actions, which need a page', async () => {
    const { fetch } = createScene({ http: (at) => fetchedPage(at), chromium: showFile })
    const actions: FetchPlan['actions'] = [{ type: 'wait', milliseconds: 1 }]
    await expect(fetch({ browserReason: 'actions', actions })).rejects.toMatchObject({
      code: 'SCRAPE_ACTIONS_NOT_SUPPORTED',
    })
  })
})
