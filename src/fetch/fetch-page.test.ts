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
  /** Whether the installation has a proxy for the enhanced tier. */
  hasEnhanced?: boolean
}

/** Engines that answer what the test says. A page says in a header what the judge says of it. */
function scene({ http, chromium, hasEnhanced = false }: Scene) {
  const visits: string[] = []
  const sent: FetchPlan['headers'][] = []
  const read: { url: string; judging: string }[] = []
  const engineOf = (name: Engine['name'], fetches: Fetches | undefined): Engine[] => {
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
    engines: [...engineOf('http', http), ...engineOf('chromium', chromium)],
    memory: createBrowserPredictor(() => 0),
    tiers: () => ({
      basic: { name: 'basic', upstream: undefined, asBrowser: false },
      enhanced: { name: 'enhanced', upstream, asBrowser: true },
    }),
    reader: {
      async read(page, { judging }) {
        read.push({ url: page.url, judging })
        const judgement: PageClassification = JSON.parse(
          page.headers['x-judgement'] ?? '{"kind":"good","notes":[]}',
        )
        const isRead = judging !== 'first' || judgement.kind === 'good'
        return {
          parts: isRead ? pageParts({}) : undefined,
          judgement: judging === 'none' ? undefined : judgement,
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
  ...{ actions: [], task: undefined, captures: {}, profile: undefined, wishes: {} },
  content: { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  room: { need: () => undefined },
}

interface Came {
  body?: string
  status?: number
  /** Read out of a browser. */
  isRendered?: boolean
  judgement?: PageClassification
  headers?: Record<string, string>
}

function came(at: URL, changes: Came = {}): FetchOutcome {
  const { body = '<p>text</p>', status = 200, isRendered = false, judgement, headers = {} } = changes
  const page: Page = {
    ...{ requestedUrl: at.href, url: at.href, status, fetchedAt: 0 },
    headers: { ...headers, ...(judgement ? { 'x-judgement': JSON.stringify(judgement) } : {}) },
    ...(isRendered ? { bytes: new Uint8Array(), text: body } : { bytes: Buffer.from(body) }),
  }
  return { kind: 'fetched', page, warnings: [] }
}

const failed = (...error: ConstructorParameters<typeof AppError>): FetchOutcome => ({
  kind: 'failed',
  error: new AppError(...error),
})
const empty: PageClassification = { kind: 'needs-browser', reason: 'it is empty', isSure: true }
const blocked: PageClassification = { kind: 'blocked', reason: 'a challenge' }
const rendered: Fetches = (at) => came(at, { isRendered: true })

describe('engines in turn', () => {
  it('ends with plain HTTP where that brings a good page', async () => {
    const { fetch, visits } = scene({ http: (at) => came(at), chromium: rendered })
    expect(await fetch()).toMatchObject({ tier: 'basic', warnings: [], page: { url: url.href } })
    expect(visits).toEqual(['http basic /page'])
  })

  it('goes on to a browser where the page needs one', async () => {
    const { fetch, visits } = scene({ http: (at) => came(at, { judgement: empty }), chromium: rendered })
    const { page, lack } = await fetch()
    expect(page.text).toBe('<p>text</p>')
    expect(lack).toBeUndefined()
    expect(visits).toEqual(['http basic /page', 'chromium basic /page'])
  })

  it('starts in a browser where the plan needs one, and fails where there is none', async () => {
    const { fetch, visits } = scene({ http: (at) => came(at), chromium: rendered })
    await fetch({ browserReason: 'actions' })
    expect(visits).toEqual(['chromium basic /page'])
    const without = scene({ http: (at) => came(at) })
    await expect(without.fetch({ browserReason: 'actions' })).rejects.toMatchObject({
      ...{ code: 'BROWSER_NOT_CONFIGURED', detail: { reason: 'actions' } },
    })
  })

  it('fetches a file plainly, and opens a browser after all where a page came under its name', async () => {
    const file = new URL('https://site.example/table.pdf')
    const pdf = scene({ http: (at) => came(at, { body: '%PDF-1.7' }), chromium: rendered })
    await pdf.fetch({ url: file, browserReason: 'a profile' })
    expect(pdf.visits).toEqual(['http basic /table.pdf'])
    const page = scene({ http: (at) => came(at), chromium: rendered })
    expect((await page.fetch({ url: file, browserReason: 'a profile' })).page.text).toBeDefined()
    expect(page.visits).toEqual(['http basic /table.pdf', 'chromium basic /table.pdf'])
  })

  it('leaves plain HTTP out for pages alike once that was in vain twice', async () => {
    const { fetch, visits } = scene({ http: (at) => came(at, { judgement: empty }), chromium: rendered })
    await fetch()
    await fetch()
    visits.length = 0
    await fetch()
    expect(visits).toEqual(['chromium basic /page'])
  })
})

describe('a page that is not good on any attempt', () => {
  it('comes back with what it lacks, judged and read at once', async () => {
    const { fetch, read } = scene({ http: (at) => came(at, { judgement: empty }) })
    const { lack, warnings } = await fetch()
    expect(lack).toEqual(empty)
    expect(warnings).toEqual(['The page seems to need a browser (it is empty), and none is configured.'])
    expect(read.map(({ judging }) => judging)).toEqual(['beside'])
  })

  it('says that the caller forbids a browser', async () => {
    const { fetch, visits } = scene({ http: (at) => came(at, { judgement: empty }), chromium: rendered })
    expect((await fetch({ mayUseBrowser: false })).warnings[0]).toContain('fastMode forbids one')
    expect(visits).toEqual(['http basic /page'])
  })

  it('tells of an attempt that failed after it', async () => {
    const { fetch } = scene({
      http: (at) => came(at, { judgement: blocked }),
      chromium: () => failed('SCRAPE_TIMEOUT', {}, { message: 'The browser took too long.' }),
    })
    const { warnings, lack } = await fetch()
    expect(lack).toEqual(blocked)
    expect(warnings).toEqual(['The site blocked the request (a challenge).', 'The browser took too long.'])
  })
})

describe('the enhanced tier', () => {
  it('is taken last, with the last engine, where the others were blocked', async () => {
    const chromium: Fetches = (at, tier) =>
      came(at, { isRendered: true, ...(tier === 'basic' ? { judgement: blocked } : {}) })
    const http: Fetches = (at) => came(at, { judgement: blocked })
    const { fetch, visits } = scene({ http, chromium, hasEnhanced: true })
    expect(await fetch()).toMatchObject({ tier: 'enhanced', warnings: [] })
    expect(visits).toEqual(['http basic /page', 'chromium basic /page', 'chromium enhanced /page'])
  })

  it('costs nothing where it was blocked as well', async () => {
    const always: Fetches = (at) => came(at, { judgement: blocked })
    const { fetch, visits } = scene({ http: always, hasEnhanced: true })
    expect((await fetch()).tier).toBe('basic')
    expect(visits).toEqual(['http basic /page', 'http enhanced /page'])
  })

  it('is tried where the site refuses, and the first refusal stays where that changes nothing', async () => {
    const http: Fetches = (at, tier) => came(at, { status: 403, body: tier })
    const { fetch } = scene({ http, hasEnhanced: true })
    const { page, tier } = await fetch()
    expect([page.status, Buffer.from(page.bytes).toString(), tier]).toEqual([403, 'basic', 'basic'])
  })

  it('is never tried after actions, which would be done twice', async () => {
    const refusing: Fetches = (at) => came(at, { status: 403, isRendered: true })
    const { fetch, visits } = scene({ chromium: refusing, hasEnhanced: true })
    await fetch({ browserReason: 'actions', actions: [{ type: 'wait', milliseconds: 1 }] })
    expect(visits).toEqual(['chromium basic /page'])
  })

  it('is the ordinary one that looks like a browser, where there is no proxy for it', async () => {
    const { fetch, visits } = scene({ http: (at) => came(at) })
    expect((await fetch({ proxy: 'enhanced' })).tier).toBe('basic')
    expect(visits).toEqual(['http basic /page'])
  })
})

describe('a fetch that fails', () => {
  it('ends at once with an error that no other engine would mend', async () => {
    const { fetch, visits } = scene({ http: () => failed('SCRAPE_DNS_RESOLUTION_ERROR'), chromium: rendered })
    await expect(fetch()).rejects.toMatchObject({ code: 'SCRAPE_DNS_RESOLUTION_ERROR' })
    expect(visits).toEqual(['http basic /page'])
  })

  it('reports what every attempt met, where that is one thing', async () => {
    const { fetch } = scene({
      http: () => failed('SCRAPE_TIMEOUT'),
      chromium: () => failed('SCRAPE_TIMEOUT'),
    })
    await expect(fetch()).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
  })

  it('names what each attempt met, where that differs', async () => {
    const { fetch } = scene({
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

  it('is one of its size where the page is larger than allowed', async () => {
    const { fetch } = scene({ http: (at) => came(at, { headers: { 'content-type': 'text/html' } }) })
    await expect(fetch({ maxBytes: { html: 3, text: 3, file: 3 } })).rejects.toMatchObject({
      code: 'SCRAPE_PAGE_TOO_LARGE',
    })
  })
})

describe('a page that sends its visitors elsewhere', () => {
  const forward = (to: string): PageClassification => ({ ...empty, forward: to })

  it('is followed by plain HTTP, without the headers for the first site, under the first address', async () => {
    const { fetch, visits, sent } = scene({
      http: (at) =>
        came(at, at.pathname === '/page' ? { judgement: forward('https://b.example/there') } : {}),
    })
    const { page } = await fetch({ headers: { cookie: 'a=1' } })
    expect(page).toMatchObject({ requestedUrl: url.href, url: 'https://b.example/there' })
    expect(visits).toEqual(['http basic /page', 'http basic /there'])
    expect(sent).toEqual([{ cookie: 'a=1' }, {}])
  })

  it('is not followed in a circle', async () => {
    const { fetch, visits } = scene({
      http: (at) => came(at, { judgement: forward(at.pathname === '/page' ? '/other' : '/page') }),
    })
    expect((await fetch()).lack).toMatchObject({ kind: 'needs-browser' })
    expect(visits).toEqual(['http basic /page', 'http basic /other'])
  })
})

describe('a file behind a browser', () => {
  const shows: Fetches = () => ({ kind: 'file', captures: {}, warnings: ['shown'] })

  it('is fetched plainly', async () => {
    const { fetch, visits } = scene({ http: (at) => came(at, { body: '%PDF-1.7' }), chromium: shows })
    const { page, warnings } = await fetch({ browserReason: 'a screenshot' })
    expect(Buffer.from(page.bytes).toString()).toBe('%PDF-1.7')
    expect(warnings).toEqual(['shown'])
    expect(visits).toEqual(['chromium basic /page', 'http basic /page'])
  })

  it('refuses actions, which need a page', async () => {
    const { fetch } = scene({ http: (at) => came(at), chromium: shows })
    const actions: FetchPlan['actions'] = [{ type: 'wait', milliseconds: 1 }]
    await expect(fetch({ browserReason: 'actions', actions })).rejects.toMatchObject({
      code: 'SCRAPE_ACTIONS_NOT_SUPPORTED',
    })
  })
})
