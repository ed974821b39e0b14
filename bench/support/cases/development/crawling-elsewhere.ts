import { type Json, until } from '../../call.ts'
import type { SupportCase } from '../../case.ts'
import { html, links, numbered, prose, returnsPages, returnsResult } from '../../pages.ts'

const article = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name)}</main>`)
const plainText = { 'content-type': 'text/plain' }
const createSitemap = (urls: readonly string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
})

/** Cases of crawls and maps whose user suspects a wrong cause. */
export const crawlingElsewhereCases: readonly SupportCase[] = [
  {
    name: 'one folder that robots may not read',
    cause: 'robots',
    routes: {
      '/robots.txt': { headers: plainText, body: 'User-agent: *\nDisallow: /bulletin/\n' },
      '/': html(
        'Village',
        `<main><h1>Village</h1>${links([...numbered(4, (n) => `/bulletin/${n}`), '/history', '/clubs'])}</main>`,
      ),
      '/history': article('The history'),
      '/clubs': article('The club'),
      '/bulletin/*': article('The bulletin'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), limit: 30 })
      kit.check(
        'all but the bulletins',
        pages.length === 3 && !pages.some((page) => page.includes('bulletin')),
      )
      return {
        question:
          'The bulletins of our village are not in the crawl, the rest is. I think it is a cache problem because they are new.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/bulletin\/\d/, atLeast: 4 }, { ignoreRobotsTxt: true }),
  },
  {
    name: 'a sitemap that nobody keeps up',
    cause: 'sitemap',
    routes: {
      '/sitemap.xml': ({ toUrl }) => createSitemap([toUrl('/'), toUrl('/issues/1'), toUrl('/issues/2')]),
      '/': html('Issues', `<main><h1>Issues</h1>${links(numbered(7, (n) => `/issues/${n}`))}</main>`),
      '/issues/*': article('The issue'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), sitemap: 'only', limit: 50 })
      kit.check('the first two issues', pages.some((page) => page.endsWith('/2')) && pages.length <= 3)
      return {
        question:
          'newest issues of the magazine are missing in the crawl, old ones are there. stale cache on your side?',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/issues\/\d/, atLeast: 7 }, { sitemap: 'include' }),
  },
  {
    name: 'a portal whose links all lead away',
    cause: 'single-page-crawl',
    routes: {
      '/': ({ toOtherSiteUrl }) =>
        html(
          'Portal',
          `<main><h1>Portal</h1>${prose('The portal', 3)}${links(numbered(4, (n) => toOtherSiteUrl(`/partner/${n}`)))}</main>`,
        ),
      '/partner/*': article('The partner'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), limit: 25 })
      kit.check('one page', pages.length === 1)
      return {
        question: 'crawl is finish after 1 page, why it not take the partners? limit is 25 so must be enough',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/partner\/\d/, atLeast: 4 }, { allowExternalLinks: true }),
  },
  {
    name: 'a whole address as a pattern',
    cause: 'patterns-exclude-all',
    routes: {
      '/': html('Letters', `<main><h1>Letters</h1>${links(numbered(5, (n) => `/letters/${n}`))}</main>`),
      '/letters/*': article('The letter'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({
        url: kit.url('/'),
        includePaths: [`^${kit.url('/letters/')}.+`],
        limit: 40,
      })
      kit.check('no letters', !pages.some((page) => page.includes('/letters/')))
      return {
        question: 'I am sure the letters are linked from the start page. Robots? Sitemap? I do not get one.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/letters\/\d/, atLeast: 5 }, { regexOnFullURL: true }),
  },
  {
    name: 'a map of ten addresses',
    cause: 'limit-reached',
    routes: {
      '/': html('Songs', `<main><h1>Songs</h1>${links(numbered(24, (n) => `/songs/${n}`))}</main>`),
      '/songs/*': article('The song'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.map({ url: kit.url('/'), limit: 10 })
      kit.check('ten addresses', pages.length === 10)
      return {
        question: 'map forgets more than half of our songs. Must I write a sitemap?',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/songs\/\d/, atLeast: 24 }, { limit: 100 }),
  },
  {
    name: 'rows of a map that differ in their campaign',
    cause: 'duplicate-urls',
    routes: {
      '/': html(
        'Mugs',
        `<main><h1>Mugs</h1>${links(['/mugs', '/mugs?ref=top', '/mugs?ref=side', '/mugs?ref=mail', '/mugs?ref=foot', '/plates'])}</main>`,
      ),
      '/mugs': article('The mug'),
      '/plates': article('The plate'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.map({ url: kit.url('/'), ignoreQueryParameters: false })
      kit.check('several rows', pages.filter((page) => page.includes('/mugs')).length >= 4)
      return { question: 'Too many rows in the map, mugs is only one page!', jobId: id }
    },
    fix: returnsResult(
      ({ pages }) =>
        pages.filter((page) => new URL(page).pathname === '/mugs').length === 1 &&
        pages.some((page) => page.endsWith('/plates')),
      { ignoreQueryParameters: true },
    ),
  },
  {
    name: 'a receiver that moved away',
    cause: 'webhook-failed',
    routes: {
      '/in/events': { status: 404, body: 'no route' },
      '/': html('Ponds', `<main><h1>Ponds</h1>${prose('The pond')}${links(['/ponds/1', '/ponds/2'])}</main>`),
      '/ponds/*': article('The pond'),
    },
    async arrange(kit) {
      const webhook = { url: kit.url('/in/events'), events: ['page', 'completed'] }
      const { id, pages } = await kit.crawl({ url: kit.url('/'), limit: 5, webhook })
      const failed = await until(30_000, async () => {
        const { body } = await kit.call('GET', `/v2/webhooks/deliveries?jobId=${id}&state=failed`)
        return body.data.length > 0 ? true : undefined
      })
      await kit.makeUnrelatedCalls()
      kit.check('failed deliveries', failed === true && pages.length > 0)
      return {
        question: 'our system waits forever for your callback. the crawl hangs?',
        rationale: 'They wait for an event at the end of a crawl.',
      }
    },
  },
  {
    name: 'a proof-reader who sees the old slip',
    cause: 'stale-cache',
    routes: {
      '/minutes/*': ({ count }) =>
        html(
          'Minutes',
          `<main><h1>Minutes</h1>${prose('The meeting')}<p>${count === 1 ? 'The tresurer resigned.' : 'The treasurer resigned.'}</p></main>`,
        ),
    },
    async arrange(kit) {
      const body = { urls: [kit.url('/minutes/march')], maxAge: 86_400_000 }
      await kit.batch(body)
      const second = await until(20_000, async () => {
        const outcome = await kit.batch(body)
        const [document] = outcome.body.data as Json[]
        return document?.metadata?.cacheState === 'hit' ? outcome : undefined
      })
      kit.check('the slip', second?.text.includes('tresurer') === true)
      return {
        question:
          'We corrected "tresurer" on the page two hours ago. The batch insists on the typo. JavaScript issue?',
        jobId: second?.id,
      }
    },
    fix: returnsResult(({ text }) => text.includes('treasurer resigned'), { maxAge: 0 }),
  },
]
