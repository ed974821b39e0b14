import { until } from '../../call.ts'
import type { SupportCase } from '../../case.ts'
import { html, links, numbered, prose, returnsPages, returnsResult } from '../../pages.ts'

const leaf = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name, 4)}</main>`)
const start = (name: string, paths: readonly string[]) =>
  html(name, `<main><h1>${name}</h1>${prose(name, 2)}${links(paths, name)}</main>`)
const urlset = (urls: readonly string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
})

/** Cases of crawls and maps that find fewer or more pages than expected. */
export const crawlingCases: readonly SupportCase[] = [
  {
    name: 'a folder that robots may not see',
    cause: 'robots',
    routes: {
      '/robots.txt': {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow: /lexicon/\nCrawl-delay: 1\n',
      },
      '/': start('Lexicon', ['/lexicon/a', '/lexicon/b', '/lexicon/c', '/imprint']),
      '/imprint': leaf('The imprint'),
      '/lexicon/*': leaf('The entry'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), limit: 30 })
      kit.check('no entries', !pages.some((page) => page.includes('/lexicon/')))
      return {
        question:
          'I get the home page and the imprint, none of the lexicon entries. We have written permission by the owner.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/lexicon\/[abc]/, atLeast: 3 }, { ignoreRobotsTxt: true }),
  },
  {
    name: 'a name that is turned away',
    cause: 'robots',
    routes: {
      '/robots.txt': {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: WinnowBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n',
      },
      '/notes/': start(
        'Notes',
        numbered(3, (n) => `/notes/${n}`),
      ),
      '/notes/*': leaf('The note'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/notes/') })
      kit.check('no pages', pages.length === 0)
      return { question: 'Zero results. Looks like the site does not like you?', jobId: id }
    },
    fix: returnsPages({ path: /^\/notes\/\d/, atLeast: 3 }, { ignoreRobotsTxt: true }),
  },
  {
    name: 'a sitemap that does not know the news',
    cause: 'sitemap',
    routes: {
      '/sitemap.xml': ({ toUrl }) => urlset([toUrl('/'), toUrl('/contact')]),
      '/': start('Orchestra', [...numbered(5, (n) => `/concerts/${n}`), '/contact']),
      '/contact': leaf('The contact'),
      '/concerts/*': leaf('The concert'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), sitemap: 'only', limit: 40 })
      kit.check('no concerts', !pages.some((page) => page.includes('/concerts/')))
      return {
        question: 'Where are the concerts? Crawl brings only two pages of the orchestra site.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/concerts\/\d/, atLeast: 5 }, { sitemap: 'include' }),
  },
  {
    name: 'pages that only the sitemap knows',
    cause: 'sitemap',
    routes: {
      '/sitemap.xml': ({ toUrl }) => urlset([toUrl('/'), ...numbered(6, (n) => toUrl(`/minerals/${n}`))]),
      '/': html(
        'Minerals',
        `<main><h1>Minerals</h1>${prose('The mineral')}<form action="/find"><input name="q"><button>Find</button></form></main>`,
      ),
      '/minerals/*': leaf('The mineral'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.map({ url: kit.url('/'), sitemap: 'skip' })
      kit.check('the start alone', pages.length <= 1)
      return {
        question:
          'The map of our mineral collection shows one URL, there should be hundreds. They are only reachable by the search form.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/minerals\/\d/, atLeast: 6 }, { sitemap: 'include' }),
  },
  {
    name: 'links that lead to another host',
    cause: 'single-page-crawl',
    routes: {
      '/': ({ toOtherSiteUrl }) =>
        start(
          'Directory',
          numbered(3, (n) => toOtherSiteUrl(`/members/${n}`)),
        ),
      '/members/*': leaf('The member'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), limit: 10 })
      kit.check('one page', pages.length === 1)
      return {
        question:
          'crawl gives the directory page and nothing else, the members have their pages on a different server',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/members\/\d/, atLeast: 3 }, { allowExternalLinks: true }),
  },
  {
    name: 'a start deep inside',
    cause: 'single-page-crawl',
    routes: {
      '/en/help/account/password': html(
        'Password',
        `<main><h1>Password</h1>${prose('The password')}<p>See also <a href="/en/help/billing">Billing</a>, <a href="/en/help/refunds">Refunds</a>, <a href="/en/help/account">Account</a>.</p></main>`,
      ),
      '/en/help/*': leaf('The help text'),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { pages } = await kit.crawl({
        url: kit.url('/en/help/account/password'),
        limit: 25,
        sitemap: 'skip',
      })
      kit.check('one page', pages.length === 1)
      return {
        question:
          'How do I get the other help pages too (Billing, Refunds …)? My last crawl only had the page where it began.',
        rationale: 'User wants a copy of the help centre for a chat bot.',
      }
    },
    fix: returnsPages(
      { path: /^\/en\/help\/(?:billing|refunds|account)$/, atLeast: 3 },
      { crawlEntireDomain: true },
    ),
  },
  {
    name: 'patterns of whole addresses',
    cause: 'patterns-exclude-all',
    routes: {
      '/': start(
        'Stamps',
        numbered(4, (n) => `/stamps/${n}`),
      ),
      '/stamps/*': leaf('The stamp'),
    },
    async arrange(kit) {
      const includePaths = [`^http://[^/]+/stamps/\\d+$`]
      const { id, pages } = await kit.crawl({ url: kit.url('/'), includePaths })
      kit.check('no stamps', !pages.some((page) => page.includes('/stamps/')))
      return {
        question: 'My regex matches on regex101 with the full address, here it matches no page at all.',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/stamps\/\d/, atLeast: 4 }, { regexOnFullURL: true }),
  },
  {
    name: 'an exclusion of everything',
    cause: 'patterns-exclude-all',
    routes: {
      '/': start('Garden', [...numbered(3, (n) => `/plants/${n}`), '/admin/users']),
      '/plants/*': leaf('The plant'),
      '/admin/*': leaf('The admin'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), excludePaths: ['/admin/.*', '.*'] })
      kit.check('no plants', !pages.some((page) => page.includes('/plants/')))
      return {
        question: 'I just wanted to leave out the admin pages and now the plants are gone as well',
        jobId: id,
      }
    },
    fix: returnsPages({ path: /^\/plants\/\d/, atLeast: 3 }, { excludePaths: ['/admin/.*'] }),
  },
  {
    name: 'a map that is cut',
    cause: 'limit-reached',
    routes: {
      '/sitemap.xml': ({ toUrl }) => urlset([toUrl('/'), ...numbered(12, (n) => toUrl(`/lakes/${n}`))]),
      '/': start(
        'Lakes',
        numbered(12, (n) => `/lakes/${n}`),
      ),
      '/lakes/*': leaf('The lake'),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { id, pages } = await kit.map({ url: kit.url('/'), limit: 5 })
      kit.check('five', pages.length === 5)
      return { question: 'our map has exactly 5 entries no matter what. the sitemap lists 13', jobId: id }
    },
    fix: returnsPages({ path: /^\/lakes\/\d/, atLeast: 12 }, { limit: 1000 }),
  },
  {
    name: 'slashes and index files',
    cause: 'duplicate-urls',
    routes: {
      '/': start('Hats', ['/hats', '/hats/', '/hats/index.html', '/caps']),
      '/caps': leaf('The cap'),
      '/hats*': leaf('The hat'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), deduplicateSimilarURLs: false, limit: 20 })
      kit.check('several', pages.filter((page) => page.includes('/hats')).length >= 3)
      return {
        question: 'three identical documents about hats in my crawl. how to get every page once?',
        jobId: id,
      }
    },
    fix: returnsResult(
      ({ pages }) =>
        pages.filter((page) => page.includes('/hats')).length === 1 &&
        pages.some((page) => page.endsWith('/caps')),
      { deduplicateSimilarURLs: true },
    ),
  },
  {
    name: 'a map of session ids',
    cause: 'duplicate-urls',
    routes: {
      '/': start('Tickets', numbered(4, (n) => `/show?sid=${n}f3a`).concat('/venue')),
      '/venue': leaf('The venue'),
      '/show': leaf('The show'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.map({ url: kit.url('/'), ignoreQueryParameters: false })
      kit.check('several', pages.filter((page) => page.includes('/show')).length >= 4)
      return {
        question: 'The list of URLs is full of repetitions, each with another sid. It is one page only.',
        jobId: id,
      }
    },
    fix: returnsResult(
      ({ pages }) =>
        pages.filter((page) => page.includes('/show')).length <= 1 &&
        pages.some((page) => page.endsWith('/venue')),
      { ignoreQueryParameters: true },
    ),
  },
  {
    name: 'a receiver that has moved',
    cause: 'webhook-failed',
    routes: { '/': start('Wool', ['/wool/1']), '/wool/*': leaf('The wool') },
    async arrange(kit) {
      const webhook = { url: kit.url('/api/v1/old-hook'), events: ['completed'] }
      const { id } = await kit.crawl({ url: kit.url('/'), limit: 3, webhook })
      const failed = await until(30_000, async () => {
        const { body } = await kit.call('GET', `/v2/webhooks/deliveries?jobId=${id}&state=failed`)
        return body.data.length > 0 ? true : undefined
      })
      kit.check('failed deliveries', failed === true)
      return {
        question: 'We never got the event that the crawl has ended, our pipeline is stuck.',
        jobId: id,
      }
    },
  },
]
