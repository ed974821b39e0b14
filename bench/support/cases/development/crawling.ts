import { until } from '../../call.ts'
import type { SupportCase } from '../../case.ts'
import { html, links, numbered, prose, returnsPages, returnsResult } from '../../pages.ts'

const chapter = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name)}</main>`)
const plainText = { 'content-type': 'text/plain' }
const xml = { 'content-type': 'application/xml' }

/** Cases of crawls and maps that find fewer or more pages than expected. */
export const crawlingCases: readonly SupportCase[] = [
  {
    name: 'a site that forbids all robots',
    cause: 'robots',
    routes: {
      '/robots.txt': { headers: plainText, body: 'User-agent: *\nDisallow: /\n' },
      '/handbook/': html(
        'Handbook',
        `<main><h1>Handbook</h1>${links(numbered(3, (n) => `/handbook/${n}`))}</main>`,
      ),
      '/handbook/*': chapter('The handbook'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/handbook/'), limit: 10 })
      kit.check('no pages', pages.length === 0)
      return {
        question: 'Crawl finished with zero documents. It is our own site so we are allowed to crawl it.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/handbook\/\d/, atLeast: 3 }, { ignoreRobotsTxt: true }),
  },
  {
    name: 'a robots.txt that the server fails to send',
    cause: 'robots',
    routes: {
      '/robots.txt': { status: 503, body: 'busy' },
      '/faq/': html('FAQ', `<main><h1>FAQ</h1>${links(numbered(3, (n) => `/faq/${n}`))}</main>`),
      '/faq/*': chapter('The answer'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/faq/') })
      kit.check('no pages', pages.length === 0)
      return {
        question: 'crawl returns nothing, no pages at all, but scrape of the same url works',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/faq\/\d/, atLeast: 3 }, { ignoreRobotsTxt: true }),
  },
  {
    name: 'only the sitemap, which is not there',
    cause: 'sitemap',
    acceptedCauses: ['single-page-crawl'],
    routes: {
      '/': html('Atlas', `<main><h1>Atlas</h1>${links(numbered(4, (n) => `/maps/${n}`))}</main>`),
      '/maps/*': chapter('The map'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), sitemap: 'only', limit: 20 })
      kit.check('no more than the start', pages.length <= 1)
      return {
        question: 'My crawl ends at once with only one page or none. The site has at least four maps.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/maps\/\d/, atLeast: 4 }, { sitemap: 'include' }),
  },
  {
    name: 'a map of an old sitemap',
    cause: 'sitemap',
    routes: {
      '/sitemap.xml': (visit) => ({
        headers: xml,
        body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${visit.toUrl('/')}</loc></url></urlset>`,
      }),
      '/': html('Seeds', `<main><h1>Seeds</h1>${links(numbered(6, (n) => `/seeds/${n}`))}</main>`),
      '/seeds/*': chapter('The seed'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.map({ url: kit.url('/'), sitemap: 'only' })
      kit.check('one address', pages.length === 1)
      return {
        question: 'POST /v2/map only lists the home page of our shop, where are the products?',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/seeds\/\d/, atLeast: 6 }, { sitemap: 'include' }),
  },
  {
    name: 'pages beside the start',
    cause: 'single-page-crawl',
    routes: {
      '/docs/intro/start': html(
        'Intro',
        `<main><h1>Introduction</h1>${prose('The loom')}${links(['/docs/warp', '/docs/weft', '/docs/reed'])}</main>`,
      ),
      '/docs/*': chapter('The loom'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/docs/intro/start'), limit: 50 })
      kit.check('one page', pages.length === 1)
      return {
        question: 'I wanted the whole documentation but the crawl stops after the first page',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/docs\/(?:warp|weft|reed)/, atLeast: 3 }, { crawlEntireDomain: true }),
  },
  {
    name: 'no steps from the start',
    cause: 'single-page-crawl',
    routes: {
      '/': html('Birds', `<main><h1>Birds</h1>${links(numbered(5, (n) => `/birds/${n}`))}</main>`),
      '/birds/*': chapter('The bird'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), maxDiscoveryDepth: 0, sitemap: 'skip' })
      kit.check('one page', pages.length === 1)
      return {
        question: 'total is 1. There are clearly links on that page. Why are they not followed?',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/birds\/\d/, atLeast: 5 }, { maxDiscoveryDepth: 2 }),
  },
  {
    name: 'a pattern in another language',
    cause: 'patterns-exclude-all',
    routes: {
      '/': html('Magazine', `<main><h1>Magazine</h1>${links(numbered(5, (n) => `/articles/${n}`))}</main>`),
      '/articles/*': chapter('The article'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), includePaths: ['^/artikel/.*'] })
      kit.check('no articles', !pages.some((page) => page.includes('/articles/')))
      return {
        question: 'Why do I get no articles in the crawl? I told it to include the articles only.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/articles\/\d/, atLeast: 5 }, { includePaths: ['^/articles/.*'] }),
  },
  {
    name: 'three pages of nine',
    cause: 'limit-reached',
    routes: {
      '/': html('Cellar', `<main><h1>Cellar</h1>${links(numbered(8, (n) => `/wines/${n}`))}</main>`),
      '/wines/*': chapter('The wine'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), limit: 3 })
      kit.check('three pages', pages.length === 3)
      return {
        question: 'Some pages of my crawl are missing, there should be 9 but completed says 3',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/wines\/\d/, atLeast: 8 }, { limit: 100 }),
  },
  {
    name: 'one page under many queries',
    cause: 'duplicate-urls',
    routes: {
      '/': html(
        'Shoes',
        `<main><h1>Shoes</h1>${links(['/shoes?sort=price', '/shoes?sort=name', '/shoes?sort=new', '/shoes?view=grid', '/boots'])}</main>`,
      ),
      '/shoes': html('All shoes', `<main><h1>All shoes</h1>${prose('The shoe')}</main>`),
      '/boots': chapter('The boot'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), limit: 20 })
      kit.check('the same page several times', pages.filter((page) => page.includes('/shoes')).length >= 4)
      return {
        question: 'the same shoe list is in my results four times with different ?sort= and I pay for each',
        jobId: id,
      }
    },
    fix: returnsResult(
      ({ pages }) => {
        const lists = pages.filter((page) => new URL(page).pathname === '/shoes').length
        return lists === 1 && pages.some((page) => page.endsWith('/boots'))
      },
      { ignoreQueryParameters: true },
    ),
  },
  {
    name: 'a receiver that fails',
    cause: 'webhook-failed',
    routes: {
      '/hook': { status: 500, body: 'TypeError: Cannot read properties of undefined' },
      '/page/*': chapter('The page'),
    },
    async arrange(kit) {
      const urls = [kit.url('/page/1'), kit.url('/page/2')]
      const { id } = await kit.batch({ urls, webhook: { url: kit.url('/hook') } })
      const failed = await until(30_000, async () => {
        const { body } = await kit.call('GET', `/v2/webhooks/deliveries?jobId=${id}&state=failed`)
        return body.data.length > 0 ? true : undefined
      })
      kit.check('failed deliveries', failed === true)
      return {
        question: 'The batch is completed, but our webhook handler never did anything. Did you send it?',
        jobId: id,
      }
    },
  },
  {
    name: 'an exclusion that is in every path',
    cause: 'patterns-exclude-all',
    routes: {
      '/shop/': html('Shop', `<main><h1>Shop</h1>${links(numbered(4, (n) => `/shop/item-${n}`))}</main>`),
      '/shop/*': chapter('The item'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/shop/'), excludePaths: ['cart', '/sho'] })
      kit.check('no items', !pages.some((page) => page.includes('/item-')))
      return {
        question: 'Nothing left after I excluded the cart from the crawl',
        jobId: id,
        rationale: 'The user wants all items of the shop but not the cart.',
      }
    },
    fix: returnsPages({ path: /^\/shop\/item-\d/, atLeast: 4 }, { excludePaths: ['cart'] }),
  },
]
