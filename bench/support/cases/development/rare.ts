import { lazy } from '../../../../src/platform/functions.ts'
import { pdf } from '../../../../test/documents/pdf.ts'
import { until } from '../../call.ts'
import type { SupportCase } from '../../case.ts'
import { scanned } from '../../files.ts'
import { html, links, numbered, prose, returnsPages, returnsResult, returnsText } from '../../pages.ts'

const page = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name)}</main>`)
const ledger = lazy(() => scanned(['Ledger of the bridge', 'Toll paid by Wilhelmina Brook.']))
const item = (number: number) => `<li>Lot ${number}: a clock of the ${number}th maker</li>`

/** Cases of known causes with rare symptoms. */
export const rareCases: readonly SupportCase[] = [
  {
    name: 'a telephone number beside the text of each page',
    cause: 'excluded-content',
    routes: {
      '/clinic/': html('Clinic', `<main><h1>Clinic</h1>${links(['/clinic/team', '/clinic/rooms'])}</main>`),
      '/clinic/*': html(
        'Clinic',
        `<main><h1>Clinic</h1>${prose('The clinic')}</main><aside><h3>Contact</h3><p>Call 0551 22 90 17 on weekdays.</p></aside>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.crawl({ url: kit.url('/clinic/'), limit: 5 })
      kit.check('no number', text.includes('The clinic') && !text.includes('0551'))
      return {
        question: 'Not one document has the phone number, though it stands on every single page (right side)',
        jobId: id,
      }
    },
    fix: returnsText('0551 22 90 17', { scrapeOptions: { onlyMainContent: false } }),
  },
  {
    name: 'an uploaded page without its table',
    cause: 'excluded-content',
    async arrange(kit) {
      const bytes = Buffer.from(
        html(
          'Yield',
          `<main><h1>Yield</h1>${prose('The yield')}<table><tr><td>Barley</td><td>6.2 t</td></tr></table></main>`,
        ),
      )
      const { id, text } = await kit.parse({ bytes, name: 'yield.html' }, { excludeTags: ['table', 'form'] })
      kit.check('no table', text.includes('The yield') && !text.includes('6.2 t'))
      return { question: 'html upload ok but the table is lost. do you not support tables?', jobId: id }
    },
    fix: returnsText('6.2 t', { excludeTags: ['form'] }),
  },
  {
    name: 'links that a script writes',
    cause: 'javascript-shell',
    acceptedCauses: ['single-page-crawl'],
    routes: {
      '/': html(
        'Caves',
        `<div id="root"></div><script>document.getElementById('root').innerHTML = '<main><h1>Caves</h1><a href="/caves/1">One</a> <a href="/caves/2">Two</a> <a href="/caves/3">Three</a></main>'</script>`,
      ),
      '/caves/*': page('The cave'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({
        url: kit.url('/'),
        limit: 10,
        scrapeOptions: { fastMode: true },
      })
      kit.check('no cave', !pages.some((url) => url.includes('/caves/')))
      return { question: 'Crawler dont find subpages. I see the links with my eyes.', jobId: id }
    },
    fix: returnsPages({ path: /^\/caves\/\d/, atLeast: 3 }, { scrapeOptions: { fastMode: false } }),
  },
  {
    name: 'lots that appear on scrolling',
    cause: 'late-content',
    acceptedCauses: ['javascript-shell'],
    routes: {
      '/auction': html(
        'Auction',
        `<main><h1>Auction</h1>${prose('The auction', 8)}<ul id="lots">${numbered(10, (n) => item(Number(n))).join('')}</ul><div style="height:3000px"></div></main><script>addEventListener('scroll', () => { document.getElementById('lots').innerHTML += '${item(11)}' }, { once: true })</script>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/auction') })
      kit.check('ten lots', text.includes('Lot 10') && !text.includes('Lot 11'))
      return { question: 'only first 10 lots come, the others load when I scroll down', jobId: id }
    },
    fix: returnsText('Lot 11', {
      actions: [
        { type: 'scroll', direction: 'down' },
        { type: 'wait', milliseconds: 500 },
      ],
    }),
  },
  {
    name: 'an article for subscribers',
    cause: 'login-redirect',
    acceptedCauses: ['blocked'],
    routes: {
      '/opera/*': html(
        'The new opera house',
        '<main><h1>The new opera house</h1><p>Please log in to continue reading.</p><form action="/login" method="post"><input name="user" placeholder="User name"><input name="pass" type="password"><button>Log in</button></form><p>No account yet? <a href="/register">Subscribe now</a></p></main>',
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/opera/house') })
      kit.check('the form', /log in to continue/i.test(text))
      return { question: 'the article is cut after the headline, timeout too small?', jobId: id }
    },
  },
  {
    name: 'a folder that moved to a landing page',
    cause: 'soft-404',
    routes: {
      '/en/': html('Welcome', `<main><h1>Welcome</h1>${prose('The museum')}</main>`),
      '/exhibits/*': { status: 301, headers: { location: '/en/' } },
    },
    async arrange(kit) {
      const urls = ['amber', 'bronze', 'coral'].map((name) => kit.url(`/exhibits/${name}`))
      const { id, text } = await kit.batch({ urls })
      kit.check('the landing page', text.includes('Welcome') && !text.includes('amber'))
      return { question: 'why have all results identical text? cache??', jobId: id }
    },
  },
  {
    name: 'a map that times out',
    cause: 'timeout',
    routes: {
      '/robots.txt': { status: 404, body: '' },
      '/sitemap.xml': { status: 404, body: '' },
      '/': {
        afterMs: 4000,
        body: html('Trees', `<main><h1>Trees</h1>${links(numbered(5, (n) => `/trees/${n}`))}</main>`),
      },
      '/trees/*': page('The tree'),
    },
    async arrange(kit) {
      const { id, code } = await kit.map({ url: kit.url('/'), timeout: 1500 })
      kit.check('a timeout', code === 'MAP_TIMEOUT')
      return { question: 'can not map our site, 408. is it down for you?', jobId: id }
    },
    fix: returnsPages({ path: /^\/trees\/\d/, atLeast: 5 }, { timeout: 20_000 }),
  },
  {
    name: 'a map of a host that does not exist',
    cause: 'dns-error',
    async arrange(kit) {
      const { id, pages } = await kit.map({ url: 'http://shop.tin-whistle.invalid/' })
      kit.check('no address', pages.length === 0)
      return { question: 'map gives me nothing, need sitemap?', jobId: id }
    },
  },
  {
    name: 'a map with only the sitemap, which does not exist',
    cause: 'sitemap',
    routes: {
      '/': html('Knots', `<main><h1>Knots</h1>${links(numbered(6, (n) => `/knots/${n}`))}</main>`),
      '/knots/*': page('The knot'),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { pages } = await kit.map({ url: kit.url('/'), sitemap: 'only' })
      kit.check('no knots', pages.length <= 1)
      return { question: 'mapping the knots site is useless, zero results. Blocked by cloudflare?' }
    },
    fix: returnsPages({ path: /^\/knots\/\d/, atLeast: 6 }, { sitemap: 'include' }),
  },
  {
    name: 'the first page of a leaflet',
    cause: 'limit-reached',
    routes: {
      '/leaflet.pdf': {
        headers: { 'content-type': 'application/pdf' },
        body: pdf(
          ['First come the rules.', 'Then come the prices.', 'Last comes the address: Quay 9.'].map(
            (text) => ({
              lines: [{ text, y: 100 }],
            }),
          ),
        ),
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({
        url: kit.url('/leaflet.pdf'),
        parsers: [{ type: 'pdf', maxPages: 1 }],
      })
      kit.check('the first page', text.includes('the rules') && !text.includes('Quay 9'))
      return { question: 'The PDF has three pages, I get the first. Are the others scanned?', jobId: id }
    },
    fix: returnsText('Quay 9', { parsers: [{ type: 'pdf' }] }),
  },
  {
    name: 'a webhook receiver whose host does not exist',
    cause: 'webhook-failed',
    routes: { '/ferns/*': page('The fern') },
    async arrange(kit) {
      const urls = [kit.url('/ferns/1')]
      const { id } = await kit.batch({ urls, webhook: { url: 'http://hooks.iron-gate.invalid/in' } })
      const failed = await until(30_000, async () => {
        const { body } = await kit.call('GET', `/v2/webhooks/deliveries?jobId=${id}&state=failed`)
        return body.data.length > 0 ? true : undefined
      })
      kit.check('failed deliveries', failed === true)
      return { question: 'done, but nobody told us. credits?', jobId: id }
    },
  },
  {
    name: 'a ledger among other files',
    cause: 'pdf-scanned',
    routes: {
      '/ledger.pdf': async () => ({ headers: { 'content-type': 'application/pdf' }, body: await ledger() }),
      '/bridge': page('The bridge'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.batch({
        urls: [kit.url('/ledger.pdf'), kit.url('/bridge')],
        parsers: [{ type: 'pdf', mode: 'fast' }],
      })
      kit.check('only the page', pages.length === 1)
      return { question: 'ledger.pdf is not in data. Does it have a password?', jobId: id }
    },
    fix: returnsResult(({ text }) => /wilhelmina\s+brook/i.test(text), {
      parsers: [{ type: 'pdf', mode: 'ocr' }],
    }),
  },
  {
    name: 'a server that has no content to give',
    cause: 'empty-content',
    routes: { '/feed/latest': { status: 204 } },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { text } = await kit.scrape({ url: kit.url('/feed/latest') })
      kit.check('no text', text.trim() === '')
      return { question: `${kit.url('/feed/latest')} why nothing` }
    },
  },
  {
    name: 'a server that never answers',
    cause: 'timeout',
    routes: { '/*': { afterMs: 90_000 } },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/radio'), timeout: 4000 })
      kit.check('a timeout', code === 'SCRAPE_TIMEOUT')
      return { question: 'Do you have a bug with this page? Always error.', jobId: id }
    },
  },
]
