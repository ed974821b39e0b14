import type { SupportCase } from '../../case.ts'
import { html, prose, returnsText } from '../../pages.ts'

/** Cases of pages that are not returned, or returned with unexpected content. */
export const fetchingCases: readonly SupportCase[] = [
  {
    name: 'a challenge that asks whether one is human',
    cause: 'blocked',
    routes: {
      '/*': {
        status: 403,
        headers: { server: 'cloudflare', 'cf-mitigated': 'challenge' },
        body: html(
          'Just a moment...',
          '<div id="challenge-stage"><h1>shop.example</h1><p>Checking if the site connection is secure. Verify you are human by completing the action below.</p><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></div>',
        ),
      },
    },
    async arrange(kit) {
      const { id, text, body } = await kit.scrape({ url: kit.url('/item/77') })
      kit.check('no page', body.data?.metadata?.statusCode === 403 || !text.includes('item'))
      return { question: 'Getting "Just a moment..." instead of the product, every time.', jobId: id }
    },
  },
  {
    name: 'a crawl of a site that refuses all',
    cause: 'blocked',
    routes: {
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nAllow: /\n' },
      '/*': {
        status: 403,
        body: html(
          'Access Denied',
          "<h1>Access Denied</h1><p>You don't have permission to access this page on this server. Reference #18.2f3c.</p>",
        ),
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.crawl({ url: kit.url('/catalogue'), limit: 5 })
      kit.check('nothing but the refusal', !/catalogue/i.test(text))
      return {
        question: 'Why does my crawl not bring a single product page? It worked from my laptop.',
        jobId: id,
      }
    },
  },
  {
    name: 'a report behind a login',
    cause: 'login-redirect',
    routes: {
      '/reports/2026': { status: 302, headers: { location: '/login?next=%2Freports%2F2026' } },
      '/login': html(
        'Sign in',
        '<main><h1>Sign in</h1><form method="post"><label>E-mail <input name="email" type="email"></label><label>Password <input name="password" type="password"></label><button>Sign in</button></form><a href="/reset">Forgot your password?</a></main>',
      ),
    },
    async arrange(kit) {
      const { id, body, text } = await kit.scrape({ url: kit.url('/reports/2026') })
      kit.check(
        'the login page',
        String(body.data?.metadata?.url).includes('/login') && !text.includes('annual'),
      )
      return {
        question: 'I asked for /reports/2026 and the markdown is a form with e-mail and password???',
        jobId: id,
      }
    },
  },
  {
    name: 'a page that says it is not there',
    cause: 'soft-404',
    routes: {
      '/*': html(
        'Page not found | Garden tools',
        '<main><h1>Oops! Page not found</h1><p>The page you are looking for may have been moved or deleted.</p><a href="/">Back to the start</a></main>',
      ),
    },
    async arrange(kit) {
      const { id, body } = await kit.scrape({ url: kit.url('/tools/rake-300') })
      kit.check('status 200', body.data?.metadata?.statusCode === 200)
      return {
        question: 'statusCode is 200 but the content has nothing to do with the rake I wanted',
        jobId: id,
      }
    },
  },
  {
    name: 'documents that ask for a user and a password',
    cause: 'login-redirect',
    acceptedCauses: ['blocked'],
    routes: {
      '/internal/*': {
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="Workshop"' },
        body: html('401', '<h1>401 Authorization Required</h1><hr><p>Please identify yourself.</p>'),
      },
    },
    async arrange(kit) {
      const { id, body } = await kit.scrape({ url: kit.url('/internal/drawings') })
      kit.check('401', body.data?.metadata?.statusCode === 401)
      return {
        question:
          'The drawings are there when I open the page in my browser, your scrape gets 401 Authorization Required.',
        jobId: id,
      }
    },
  },
  {
    name: 'an old address that leads to the start page',
    cause: 'soft-404',
    routes: {
      '/': html(
        'Tea house',
        `<main><h1>Tea house</h1>${prose('The tea house')}<a href="/teas">All teas</a></main>`,
      ),
      '/teas/*': { status: 302, headers: { location: '/' } },
    },
    async arrange(kit) {
      const { id, body } = await kit.scrape({ url: kit.url('/teas/lapsang-2019') })
      kit.check('the start page', new URL(body.data?.metadata?.url ?? 'http://a/b').pathname === '/')
      return {
        question:
          'I asked for one particular tea and got a general text about the tea house, no price, nothing about Lapsang.',
        jobId: id,
      }
    },
  },
  {
    name: 'three seconds for a slow server',
    cause: 'timeout',
    routes: {
      '/archive': {
        afterMs: 7000,
        body: html(
          'Archive',
          `<main><h1>Archive</h1>${prose('The archive')}<p>Box nine holds the maps.</p></main>`,
        ),
      },
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { id, code } = await kit.scrape({ url: kit.url('/archive'), timeout: 3000 })
      kit.check('a timeout', code === 'SCRAPE_TIMEOUT')
      return {
        question: 'SCRAPE_TIMEOUT on this one every time. The site is slow but it does load eventually.',
        jobId: id,
      }
    },
    fix: returnsText('Box nine', { timeout: 30_000 }),
  },
  {
    name: 'pages of a crawl that have two seconds',
    cause: 'timeout',
    routes: {
      '/minutes/': html(
        'Minutes',
        '<main><h1>Minutes</h1><a href="/minutes/may">May</a> <a href="/minutes/june">June</a></main>',
      ),
      '/minutes/may': {
        afterMs: 5000,
        body: html('May', `<main><h1>May</h1>${prose('The council')}<p>The bridge was voted for.</p></main>`),
      },
      '/minutes/june': {
        afterMs: 5000,
        body: html('June', `<main><h1>June</h1>${prose('The council')}<p>The vote was repeated.</p></main>`),
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.crawl({
        url: kit.url('/minutes/'),
        limit: 5,
        scrapeOptions: { timeout: 2000 },
      })
      kit.check('the pages are missing', !text.includes('bridge'))
      return {
        question: 'Most pages of the crawl failed, only the start page is in data.',
        jobId: id,
        rationale: 'The user wants the minutes of all council meetings.',
      }
    },
    fix: returnsText('bridge was voted', { scrapeOptions: { timeout: 20_000 } }),
  },
  {
    name: 'a certificate that nobody signed',
    cause: 'tls-error',
    routes: {
      '/status': html(
        'Status',
        `<main><h1>Status</h1>${prose('The pump')}<p>Pump seven runs dry.</p></main>`,
      ),
    },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.httpsUrl('/status'), skipTlsVerification: false })
      kit.check('a TLS error', code === 'SCRAPE_SSL_ERROR')
      return {
        question: 'Scrape fails with an SSL error on our staging box, browsers let me click through',
        jobId: id,
      }
    },
    fix: returnsText('Pump seven', { skipTlsVerification: true }),
  },
  {
    name: 'a host name with a slip',
    cause: 'dns-error',
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: 'http://www.gardenn-tools.invalid/catalog' })
      kit.check('a DNS error', code === 'SCRAPE_DNS_RESOLUTION_ERROR')
      return { question: 'This scrape always fails immediately. Is your service down?', jobId: id }
    },
  },
  {
    name: 'a wiki in the office',
    cause: 'refused-address',
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { code } = await kit.scrape({ url: 'http://10.0.12.7/wiki/start' })
      kit.check('refused', code === 'TARGET_FORBIDDEN')
      return {
        question:
          'How can I scrape the wiki in our office network? http://10.0.12.7/wiki/start gives a 403 but the wiki itself is open to everyone here.',
      }
    },
  },
  {
    name: 'a crawl that insists on certificates',
    cause: 'tls-error',
    routes: {
      '/manual/': html(
        'Manual',
        `<main><h1>Manual</h1>${prose('The valve')}<p>Turn the valve by nine degrees.</p></main>`,
      ),
    },
    async arrange(kit) {
      const { id, pages } = await kit.crawl({
        url: kit.httpsUrl('/manual/'),
        limit: 5,
        ignoreRobotsTxt: true,
        scrapeOptions: { skipTlsVerification: false },
      })
      kit.check('no pages', pages.length === 0)
      return {
        question: 'crawling our appliance fails, it has a certificate of our own authority',
        jobId: id,
      }
    },
    fix: returnsText('nine degrees', { scrapeOptions: { skipTlsVerification: true } }),
  },
  {
    name: 'a program on the same machine',
    cause: 'refused-address',
    async arrange(kit) {
      const { id, body } = await kit.crawl({ url: 'http://[::1]:8080/docs/' })
      kit.check('refused', String(body.error).includes('private, local or reserved'))
      return {
        jobId: id,
        question:
          'Is it possible to crawl a development server that runs on the same machine? I get an error about the address.',
        context: { url: 'http://[::1]:8080/docs/', error: body.error },
      }
    },
  },
]
