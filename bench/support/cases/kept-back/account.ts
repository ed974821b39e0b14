import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../call.ts'
import type { SupportCase } from '../../case.ts'
import { html, links, numbered, prose, returnsResult, returnsText } from '../../pages.ts'

const page = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name, 5)}</main>`)
const urlset = (urls: readonly string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
})

/** Cases of cache, API key, credits and limits of a team. */
export const accountCases: readonly SupportCase[] = [
  {
    name: 'a score of the first half',
    cause: 'stale-cache',
    routes: {
      '/match/9': ({ count }) =>
        html(
          'Match',
          `<main><h1>Match</h1>${prose('The match')}<p>Score: ${count > 1 ? 'three to two' : 'nil all'}.</p></main>`,
        ),
    },
    async arrange(kit) {
      const body = { url: kit.url('/match/9'), maxAge: 86_400_000 }
      await kit.scrape(body)
      const hit = await until(20_000, async () => {
        const outcome = await kit.scrape(body)
        return outcome.body.data.metadata.cacheState === 'hit' ? outcome : undefined
      })
      kit.check('the old score', hit?.text.includes('nil all') === true)
      return {
        question:
          'Live score does not move. I poll every minute and always read nil all, the match is nearly over!',
        jobId: hit?.id,
      }
    },
    fix: returnsText('three to two', { maxAge: 0 }),
  },
  {
    name: 'a map that does not know a new page',
    cause: 'stale-cache',
    acceptedCauses: ['sitemap'],
    routes: {
      '/sitemap.xml': ({ count, toUrl }) =>
        urlset([toUrl('/'), ...numbered(count === 1 ? 3 : 4, (n) => toUrl(`/knots/${n}`))]),
      '/': page('The knot'),
      '/knots/*': page('The knot'),
    },
    async arrange(kit) {
      await kit.map({ url: kit.url('/'), sitemap: 'only' })
      const { id, pages } = await kit.map({ url: kit.url('/'), sitemap: 'only' })
      kit.check('the new page is missing', !pages.some((path) => path.endsWith('/knots/4')))
      return { question: 'I added /knots/4 to my sitemap an hour ago, map does not show it.', jobId: id }
    },
    fix: returnsResult(({ pages }) => pages.some((path) => path.endsWith('/knots/4')), { ignoreCache: true }),
  },
  {
    name: 'a page that was never fetched, under lockdown',
    cause: 'cache-miss',
    routes: {
      '/ledger': html(
        'Ledger',
        `<main><h1>Ledger</h1>${prose('The ledger')}<p>Carried forward: 902.</p></main>`,
      ),
    },
    async arrange(kit) {
      const { status, body } = await kit.scrape({ url: kit.url('/ledger'), lockdown: true })
      kit.check('a miss', body.code === 'SCRAPE_LOCKDOWN_CACHE_MISS')
      return {
        question:
          'Since we switched to lockdown mode this page answers not found. What should I change in the call?',
        context: { request: { url: kit.url('/ledger'), lockdown: true }, status, response: body },
      }
    },
    fix: returnsText('Carried forward', { lockdown: false }),
  },
  {
    name: 'a copy from another day',
    cause: 'cache-miss',
    routes: {
      '/tide': html('Tide', `<main><h1>Tide</h1>${prose('The tide')}<p>Low water at 4:52.</p></main>`),
    },
    async arrange(kit) {
      await kit.scrape({ url: kit.url('/tide') })
      const { id, code } = await kit.scrape({ url: kit.url('/tide'), minAge: 86_400_000 })
      kit.check('no copy', code === 'SCRAPE_NO_CACHED_DATA')
      return {
        question:
          'I scraped this page a minute ago, and now the same page with minAge is said to be not in the cache. How come?',
        jobId: id,
      }
    },
    fix: returnsText('4:52', { minAge: null }),
  },
  {
    name: 'a key in the wrong header',
    cause: 'wrong-key',
    async arrange(kit) {
      const headers = { authorization: '', 'x-api-key': kit.key }
      const { status, body } = await kit.call('POST', '/v2/crawl', { body: { url: kit.url('/') }, headers })
      kit.check('401', status === 401)
      return {
        question:
          'curl -H "X-API-Key: fc-…" -X POST /v2/crawl says I am not authorised but the key is copied straight from your console.',
        context: { response: body },
      }
    },
  },
  {
    name: 'a word too few before the key',
    cause: 'wrong-key',
    async arrange(kit) {
      const headers = { authorization: kit.key }
      const { status } = await kit.call('GET', '/v2/team/credit-usage', { headers })
      kit.check('401', status === 401)
      return {
        question:
          'Authorization: fc-12ab… → 401. The key was made ten minutes ago, does it need time to become active?',
      }
    },
  },
  {
    name: 'a crawl after the last credit',
    cause: 'no-credits',
    environment: 'narrow',
    routes: {
      '/': html('Moss', `<main><h1>Moss</h1>${links(numbered(30, (n) => `/moss/${n}`))}</main>`),
      '/moss/*': page('The moss'),
    },
    async arrange(kit) {
      const { body } = await kit.batch({ urls: numbered(20, (n) => kit.url(`/moss/${n}`)) })
      const { status, code } = await kit.crawl({ url: kit.url('/'), limit: 30 })
      kit.check('402', code === 'CREDITS_EXHAUSTED')
      return {
        question: 'Why can I not start my crawl any more?',
        context: { status, code, previousBatch: body.status },
      }
    },
  },
  {
    name: 'many small scrapes',
    cause: 'rate-limit',
    environment: 'narrow',
    routes: { '/*': page('The pebble') },
    async arrange(kit) {
      const answers = []
      for (const number of numbered(25, String)) {
        answers.push(
          await kit.call('POST', '/v2/scrape', { body: { url: 'http://10.1.1.1/', origin: number } }),
        )
      }
      const refused = answers.find(({ status }) => status === 429)
      kit.check('429', refused?.body.code === 'RATE_LIMITED')
      return {
        question: `My nightly job dies: "${refused?.body.error}". I only send one request at a time, never in parallel!`,
      }
    },
  },
  {
    name: 'a queue of slow pages',
    cause: 'concurrency-limit',
    acceptedCauses: ['timeout'],
    environment: 'narrow',
    routes: { '/*': { afterMs: 8000, body: page('The glacier') } },
    async arrange(kit) {
      const one = kit.scrape({ url: kit.url('/glacier/1'), timeout: 25_000 })
      await sleep(700)
      const others = await Promise.all(
        [2, 3].map((number) => kit.scrape({ url: kit.url(`/glacier/${number}`), timeout: 3500 })),
      )
      kit.check(
        'no slot',
        others.every(({ code }) => code === 'CONCURRENCY_QUEUE_TIMEOUT'),
      )
      await one
      return {
        question:
          'I fire three scrapes with Promise.all, the first is ok and the other two are rejected with 408 although the pages are all alike.',
        context: { codes: others.map(({ code }) => code) },
      }
    },
  },
  {
    name: 'no more windows',
    cause: 'concurrency-limit',
    routes: { '/desk': page('The desk') },
    async arrange(kit) {
      for (const _ of [1, 2]) await kit.call('POST', '/v2/browser', { body: { ttl: 90 } })
      const { id } = await kit.scrape({ url: kit.url('/desk') })
      const { body } = await kit.call('POST', `/v2/scrape/${id}/interact`, {
        body: { code: 'await page.title()' },
      })
      kit.check('too many', body.code === 'SESSION_LIMIT_REACHED')
      return { question: `interact refuses to start: ${body.error}`, jobId: id }
    },
  },
]
