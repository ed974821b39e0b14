import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../call.ts'
import type { SupportCase } from '../../case.ts'
import { html, numbered, prose, returnsText } from '../../pages.ts'

const page = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name)}</main>`)

/** Cases of cache, API key, credits and limits of a team. */
export const accountCases: readonly SupportCase[] = [
  {
    name: 'a price of yesterday',
    cause: 'stale-cache',
    routes: {
      '/rates': ({ count }) =>
        html(
          'Rates',
          `<main><h1>Rates</h1>${prose('The rate')}<p>Today: ${count === 1 ? 4.1 : 5.9} percent.</p></main>`,
        ),
    },
    async arrange(kit) {
      const again = async () => (await kit.scrape({ url: kit.url('/rates') })).text
      await again()
      const second = await until(20_000, async () => {
        const outcome = await kit.scrape({ url: kit.url('/rates') })
        return outcome.body.data.metadata.cacheState === 'hit' ? outcome : undefined
      })
      kit.check('the old value', second?.text.includes('4.1 percent') === true)
      return {
        question: 'The rate in the markdown is 4.1 but the site shows 5.9 since this morning.',
        jobId: second?.id,
      }
    },
    fix: returnsText('5.9 percent', { maxAge: 0 }),
  },
  {
    name: 'a crawl of the text of last week',
    cause: 'stale-cache',
    routes: {
      '/rules/': ({ count }) =>
        html(
          'Rules',
          `<main><h1>Rules</h1>${prose('The rule')}<p>Version ${count === 1 ? 'one' : 'two'}.</p></main>`,
        ),
    },
    async arrange(kit) {
      const body = { url: kit.url('/rules/'), limit: 2, scrapeOptions: { maxAge: 604_800_000 } }
      await kit.crawl(body)
      const second = await kit.crawl(body)
      kit.check('the old version', second.text.includes('Version one'))
      return {
        question: 'I crawled again after we published version two, and the crawl still says version one.',
        jobId: second.id,
      }
    },
    fix: returnsText('Version two', { scrapeOptions: { maxAge: 0 } }),
  },
  {
    name: 'a copy that must be an hour old',
    cause: 'cache-miss',
    routes: {
      '/journal': html('Journal', `<main><h1>Journal</h1>${prose('The journal')}<p>Entry twelve.</p></main>`),
    },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/journal'), minAge: 3_600_000 })
      kit.check('no copy', code === 'SCRAPE_NO_CACHED_DATA')
      return {
        question: 'Why do I get 404 SCRAPE_NO_CACHED_DATA? The page exists, I can open it.',
        jobId: id,
      }
    },
    fix: returnsText('Entry twelve', { minAge: null }),
  },
  {
    name: 'a key with a letter missing',
    cause: 'wrong-key',
    async arrange(kit) {
      const headers = { authorization: `Bearer ${kit.key.slice(0, -1)}` }
      const { status, body } = await kit.call('POST', '/v2/scrape', { body: { url: kit.url('/') }, headers })
      kit.check('401', status === 401)
      return {
        question:
          'Every request of our new deployment is answered 401 Unauthorized since today. What is wrong?',
        context: { status, response: body, endpoint: 'POST /v2/scrape' },
      }
    },
  },
  {
    name: 'thirty pages for twenty credits',
    cause: 'no-credits',
    environment: 'narrow',
    routes: { '/*': page('The leaflet') },
    async arrange(kit) {
      const { status, body } = await kit.batch({ urls: numbered(30, (n) => kit.url(`/leaflet/${n}`)) })
      kit.check('402', status === 402)
      return { question: 'Batch of 30 urls is refused with 402', context: { error: body.error } }
    },
  },
  {
    name: 'credits that are used up',
    cause: 'no-credits',
    environment: 'narrow',
    routes: { '/*': page('The leaflet') },
    async arrange(kit) {
      await kit.scrape({ url: kit.url('/one') })
      const urls = numbered(19, (n) => kit.url(`/leaflet/${n}`))
      await kit.batch({ urls })
      const { code } = await kit.scrape({ url: kit.url('/two') })
      kit.check('402', code === 'CREDITS_EXHAUSTED')
      return {
        question:
          'My scrapes worked all morning, and now every one of them is refused. Nothing changed in my code.',
      }
    },
  },
  {
    name: 'a loop without a pause',
    cause: 'rate-limit',
    environment: 'narrow',
    routes: { '/*': page('The shelf') },
    async arrange(kit) {
      const answers = await Promise.all(
        numbered(26, String).map(() =>
          kit.call('POST', '/v2/map', { body: { url: 'http://nowhere.invalid/' } }),
        ),
      )
      const refused = answers.find(({ status }) => status === 429)
      kit.check('429', refused !== undefined)
      return {
        question: 'A part of my calls comes back with 429, others are fine. I loop over 26 sites.',
        context: { status: 429, body: refused?.body },
      }
    },
  },
  {
    name: 'two slow pages and one slot',
    cause: 'concurrency-limit',
    acceptedCauses: ['timeout'],
    environment: 'narrow',
    routes: { '/*': { afterMs: 9000, body: page('The tower') } },
    async arrange(kit) {
      const first = kit.scrape({ url: kit.url('/one'), timeout: 30_000 })
      await sleep(800)
      const { id, code } = await kit.scrape({ url: kit.url('/two'), timeout: 4000 })
      kit.check('no slot', code === 'CONCURRENCY_QUEUE_TIMEOUT')
      await first
      return {
        question: 'When I run my scrapes in parallel some fail with 408, one after the other they all work.',
        jobId: id,
      }
    },
  },
  {
    name: 'a third session',
    cause: 'concurrency-limit',
    async arrange(kit) {
      for (const _ of [1, 2]) await kit.call('POST', '/v2/browser', { body: { ttl: 120 } })
      const { status, body } = await kit.call('POST', '/v2/browser', { body: { ttl: 120 } })
      kit.check('too many', body.code === 'SESSION_LIMIT_REACHED')
      return {
        question: 'Cannot open another browser session: it says 429.',
        context: { call: 'POST /v2/browser', status, code: body.code },
      }
    },
  },
]
