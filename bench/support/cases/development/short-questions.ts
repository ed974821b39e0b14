import type { SupportCase } from '../../case.ts'
import { html, links, numbered, prose, returnsPages, returnsResult, returnsText } from '../../pages.ts'

const page = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name)}</main>`)

/** Cases with questions that contain almost no information, so that only the facts show the cause. */
export const shortQuestionCases: readonly SupportCase[] = [
  {
    name: 'the end of a sale above the text',
    cause: 'excluded-content',
    routes: {
      '/carpets': html(
        'Carpets',
        `<header><p>Sale ends on 14 June at noon.</p><nav><a href="/">Start</a></nav></header><main><h1>Carpets</h1>${prose('The carpet')}</main>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/carpets') })
      kit.check('no date', text.includes('The carpet') && !text.includes('14 June'))
      return { question: 'when does the sale end? it stands at the top, I dont have it', jobId: id }
    },
    fix: returnsText('14 June', { onlyMainContent: false }),
  },
  {
    name: 'a crawl that reads what it has',
    cause: 'stale-cache',
    routes: {
      '/stock/': ({ count }) =>
        html(
          'Stock',
          `<main><h1>Stock</h1>${prose('The stock')}<p>${count === 1 ? 'Forty' : 'Twelve'} barrels left.</p></main>`,
        ),
    },
    async arrange(kit) {
      const body = { url: kit.url('/stock/'), limit: 1, scrapeOptions: { maxAge: 3_600_000 } }
      await kit.crawl(body)
      const second = await kit.crawl(body)
      kit.check('the first number', second.text.includes('Forty barrels'))
      return { question: 'number of barrels is wrong, we have twelve. bug?', jobId: second.id }
    },
    fix: returnsText('Twelve barrels', { scrapeOptions: { maxAge: 0 } }),
  },
  {
    name: 'a crawl that ends at the door',
    cause: 'robots',
    routes: {
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /\n' },
      '/': html('Fleet', `<main><h1>Fleet</h1>${links(numbered(3, (n) => `/ships/${n}`))}</main>`),
      '/ships/*': page('The ship'),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { pages } = await kit.crawl({ url: kit.url('/'), limit: 9 })
      kit.check('no page', pages.length === 0)
      return { question: 'crawl doesnt do anything. javascript?' }
    },
    fix: returnsPages({ path: /^\/ships\/\d/, atLeast: 3 }, { ignoreRobotsTxt: true }),
  },
  {
    name: 'a crawl of one step',
    cause: 'limit-reached',
    acceptedCauses: ['single-page-crawl'],
    routes: {
      '/': html('Rivers', `<main><h1>Rivers</h1>${links(['/north', '/south'])}</main>`),
      '/north': html(
        'North',
        `<main><h1>North</h1>${prose('The north')}${links(numbered(3, (n) => `/rivers/${n}`))}</main>`,
      ),
      '/south': page('The south'),
      '/rivers/*': page('The river'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), maxDiscoveryDepth: 1, sitemap: 'skip' })
      kit.check('three pages', pages.length === 3)
      return { question: 'where are the rivers, robots.txt?', jobId: id }
    },
    fix: returnsPages({ path: /^\/rivers\/\d/, atLeast: 3 }, { maxDiscoveryDepth: 3 }),
  },
  {
    name: 'one slow page of three',
    cause: 'timeout',
    routes: {
      '/towns/ulm': page('Ulm'),
      '/towns/jena': page('Jena'),
      '/towns/trier': {
        afterMs: 5000,
        body: html('Trier', `<main><h1>Trier</h1>${prose('Trier')}<p>The gate is black.</p></main>`),
      },
    },
    async arrange(kit) {
      const urls = ['ulm', 'jena', 'trier'].map((name) => kit.url(`/towns/${name}`))
      const { id, pages } = await kit.batch({ urls, timeout: 2500 })
      kit.check('two pages', pages.length === 2)
      return { question: 'Trier?', jobId: id }
    },
    fix: returnsText('gate is black', { timeout: 20_000 }),
  },
  {
    name: 'a story in a quick crawl',
    cause: 'javascript-shell',
    acceptedCauses: ['empty-content', 'late-content'],
    routes: {
      '/tales/': html(
        'Tales',
        `<main><h1>Tales</h1>${prose('The tale', 3)}${links(['/tales/fox', '/tales/crow'])}</main>`,
      ),
      '/tales/*': html(
        'Tale',
        `<div id="app"></div><script>document.querySelector('#app').innerHTML = '<main><h1>Tale</h1>' + ${JSON.stringify(prose('The old tale', 5))} + '<p>The fox got the cheese.</p></main>'</script>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.crawl({
        url: kit.url('/tales/'),
        limit: 5,
        scrapeOptions: { fastMode: true },
      })
      kit.check('no fox', !text.includes('the cheese'))
      return { question: 'so short?!', jobId: id }
    },
    fix: returnsText('the cheese', { scrapeOptions: { fastMode: false } }),
  },
  {
    name: 'one calendar under thirty queries',
    cause: 'duplicate-urls',
    routes: {
      '/': html(
        'Events',
        `<main><h1>Events</h1>${links([...numbered(9, (n) => `/calendar?month=${n}`), '/tickets'])}</main>`,
      ),
      '/calendar': page('The calendar'),
      '/tickets': page('The ticket'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: kit.url('/'), limit: 40 })
      kit.check('many calendars', pages.filter((one) => one.includes('/calendar')).length >= 9)
      return { question: 'Why does a site of three pages cost 11 credits?', jobId: id }
    },
    fix: returnsResult(({ pages }) => pages.length === 3 && pages.some((one) => one.endsWith('/tickets')), {
      ignoreQueryParameters: true,
    }),
  },
  {
    name: 'Polish letters of another table',
    cause: 'wrong-charset',
    routes: {
      '/zupa': {
        headers: { 'content-type': 'text/html; charset=windows-1252' },
        body: '<!doctype html><html lang="pl"><head><meta charset="windows-1252"><title>Zupa</title></head><body><main><h1>Zupa</h1><p>Żurek z białą kiełbasą, gęsta śmietana i świeży chleb dla każdego gościa w mieście Łódź.</p></main></body></html>',
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/zupa') })
      kit.check('wrong letters', text.length > 20 && !text.includes('Żurek'))
      return { question: 'looks ugly, my customer can not read the recipe. Font problem?', jobId: id }
    },
  },
  {
    name: 'a wall before each page of a crawl',
    cause: 'consent-wall',
    routes: {
      '/mag/': html(
        'Mag',
        `<main><h1>Mag</h1>${prose('The magazine', 2)}${links(['/mag/a', '/mag/b'])}</main>`,
      ),
      '/mag/*': html(
        'Mag',
        `<div id="w" role="dialog" style="position:fixed;inset:0;background:#fff"><h2>We value your privacy</h2><p>We and our partners use cookies and need your consent to show this article.</p><button onclick="document.body.innerHTML = '<main><h1>Mag</h1>' + ${JSON.stringify(prose('The beekeeper', 4)).replaceAll('"', '&quot;')} + '<p>The queen bee is seven.</p></main>'">Accept all</button></div>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.crawl({
        url: kit.url('/mag/'),
        limit: 5,
        scrapeOptions: { blockAds: false },
      })
      kit.check('no article', !text.includes('queen bee'))
      return { question: 'articles are cut. limit?', jobId: id }
    },
    fix: returnsText('queen bee', { scrapeOptions: { blockAds: true } }),
  },
]
