import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { callAt, type OwnService, startOwnService } from '../api.ts'
import { attackClass, isFull } from './attack.ts'

/** Selectors of one team must not block the pages of another team. */
let site: Server
let own: OwnService
let other: string
const url = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`

/** Pages of some kilobytes, which are small enough to be read on the main thread. */
const pages: Record<string, string> = {
  wide: `<title>Wide</title><main>${'<p a></p>'.repeat(650)}</main>`,
  deep: `<title>Deep</title>${'<b a>'.repeat(1200)}text`,
  plain: `<title>Plain</title><main><p>${'A page with some words. '.repeat(20)}</p></main>`,
}

beforeAll(async () => {
  site = createServer((request, response) => {
    const [, name = ''] = request.url?.split('/') ?? []
    response.setHeader('content-type', 'text/html')
    response.end(pages[name] ?? '')
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  own = await startOwnService({ TEAM_CONCURRENCY: '16', RATE_PER_MINUTE: '1000000' })
  other = await own.newTeam()
})
afterAll(async () => {
  await own.remove()
  site.closeAllConnections()
  site.close()
})

const chain = (combinator: string, count = 12) => Array.from({ length: count }, () => '[a]').join(combinator)
const nest = (name: string, combinator: string, depth: number): string =>
  depth === 0 ? '[z]' : `${name}(${combinator}[a]${nest(name, combinator, depth - 1)})`

interface Vector {
  page: string
  selectors: string[]
}

const vectors: Vector[] = Object.keys(pages)
  .filter((page) => page !== 'plain')
  .flatMap((page) => [
    ...['~', ' ', '+', '>'].map((combinator) => ({ page, selectors: Array(6).fill(chain(combinator)) })),
    { page, selectors: Array(6).fill(`:not(${chain('~')} ~ [z])`) },
    { page, selectors: Array(6).fill(`:is(${chain(' ')} [z])`) },
    ...['~ ', '> ', '+ ', ''].map((combinator) => ({
      page,
      selectors: [nest(':has', combinator, 6), ...Array(5).fill(`:not(${nest(':has', combinator, 5)})`)],
    })),
    { page, selectors: Array(6).fill(':nth-last-child(2n of [a] ~ [a] ~ [a])') },
  ])

/** Needs as much work as many pages, even if the search ends at its bound. */
const costly = nest(':has', '~ ', 6)

describe('selectors of a caller', () => {
  attackClass({
    name: 'selectors: chains and brackets on a small page',
    vectors,
    short: 6,
    concurrency: 2,
    run: async ({ page, selectors }) => {
      for (const list of ['includeTags', 'excludeTags']) {
        const body = { url: url(`/${page}`), maxAge: 0, [list]: selectors }
        const [response, health] = await Promise.all([
          own.call('POST', '/v2/scrape', { body }),
          fetch(`${own.url}/health/live`),
        ])
        if (health.status !== 200) return `health was answered ${health.status}`
        const { status } = response
        const isNamed = status === 200 || namesSelector(response.body, list)
        if (!isNamed) return `${list}: answered ${status} ${JSON.stringify(response.body).slice(0, 300)}`
      }
      return undefined
    },
  })

  attackClass({
    name: 'selectors: the longest in every format',
    vectors: ['~', ' ', ','].flatMap((combinator) => [1, 50].map((count) => ({ combinator, count }))),
    short: 2,
    run: async ({ combinator, count }) => {
      const selector = chain(combinator, 490)
      const formats = Array.from({ length: count }, (_, format) => ({
        type: 'attributes',
        selectors: Array.from({ length: 10 }, (_, index) => ({
          selector: `${selector},b${format}-${index}`,
          attribute: 'a',
        })),
      }))
      const body = { url: url('/plain'), maxAge: 0, formats }
      const { status, body: responseBody } = await own.call('POST', '/v2/scrape', { body })
      // A format may be requested only once.
      if (status !== (count === 1 ? 200 : 400))
        return `answered ${status} ${JSON.stringify(responseBody).slice(0, 300)}`
      return own.output().includes('EVENT_LOOP_BLOCKED') ? 'the main thread was blocked' : undefined
    },
  })

  attackClass({
    name: 'fairness: a batch of pages with costly selectors',
    vectors: [isFull ? 8 : 4],
    run: async (count) => {
      const urls = Array.from({ length: count }, (_, index) => url(`/wide/${index}`))
      const body = { urls, maxAge: 0, excludeTags: Array(6).fill(costly) }
      const { id } = (await own.call('POST', '/v2/batch/scrape', { body })).body
      const read = async () => (await own.call('GET', `/v2/batch/scrape/${id}`)).body
      const scrape = { key: other, body: { url: url('/plain'), maxAge: 0 } }
      const { status } = await callAt(own.url, 'POST', '/v2/scrape', scrape)
      const endedEarly = (await read()).status !== 'scraping'
      if (status !== 200) return `the scrape of the other team was answered ${status}`
      if (endedEarly) return 'the batch had ended before the other team was served'
      await expect.poll(async () => (await read()).status, { timeout: 120_000 }).not.toBe('scraping')
      const { errors } = (await own.call('GET', `/v2/batch/scrape/${id}/errors`)).body
      const isNamed =
        errors.length === count && errors.every((error: object) => namesSelector(error, 'excludeTags'))
      return isNamed ? undefined : `errors: ${JSON.stringify(errors).slice(0, 300)}`
    },
  })
})

function namesSelector(content: object, list: string): boolean {
  const text = JSON.stringify(content)
  return text.includes(`${list}: `) && text.includes('MAX_SELECTOR_STEPS')
}
