import type { SupportCase } from '../../case.ts'
import { html, prose, returnsText } from '../../pages.ts'

/** Cases of pages that are not returned, or returned with unexpected content. */
export const fetchingCases: readonly SupportCase[] = [
  {
    name: 'a guard that speaks of unusual traffic',
    cause: 'blocked',
    routes: {
      '/*': html(
        'Pardon our interruption',
        '<main><h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen: you have disabled cookies or you are moving through this website with super-human speed.</p><div class="g-recaptcha" data-sitekey="x"></div></main>',
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/flights/osl-ber') })
      kit.check('no flights', !text.includes('OSL'))
      return { question: 'flight search page comes back as an apology, prices missing', jobId: id }
    },
  },
  {
    name: 'a site that has been asked too often',
    cause: 'blocked',
    routes: {
      '/*': {
        status: 429,
        headers: { 'retry-after': '3600' },
        body: html('Slow down', '<h1>429 Too Many Requests</h1><p>nginx</p>'),
      },
    },
    async arrange(kit) {
      const { id, body } = await kit.batch({ urls: [kit.url('/a'), kit.url('/b'), kit.url('/c')] })
      kit.check('429', JSON.stringify(body).includes('429'))
      return {
        question:
          'All documents of the batch have statusCode 429 in their metadata. I am far below the rate limit of my plan!',
        jobId: id,
      }
    },
  },
  {
    name: 'an archive for members',
    cause: 'login-redirect',
    routes: {
      '/archive/*': html(
        'Members only',
        '<main><h1>Welcome back</h1><p>Please log in to continue reading.</p><form action="/session" method="post"><input name="user" placeholder="Member number"><input name="pin" type="password" placeholder="PIN"><button>Log in</button></form></main>',
      ),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { id, text } = await kit.scrape({ url: kit.url('/archive/1931/issue-4') })
      kit.check('a form', text.includes('log in'))
      return {
        question:
          'Issue 4 of 1931 is not in the response. We are members of the society, so we do have access to it.',
        jobId: id,
        rationale: 'A historian collects articles for a book.',
      }
    },
  },
  {
    name: 'an offer that has ended',
    cause: 'soft-404',
    routes: {
      '/anzeige/*': html(
        'Seite nicht gefunden',
        '<main><h1>Seite nicht gefunden</h1><p>Diese Anzeige ist leider nicht mehr verfügbar.</p><p><a href="/">Zur Startseite</a></p></main>',
        { lang: 'de' },
      ),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { id, body } = await kit.scrape({
        url: kit.url('/anzeige/fahrrad-8812'),
        formats: ['markdown', 'links'],
      })
      kit.check('status 200', body.data?.metadata?.statusCode === 200)
      return {
        question:
          'Your API says success true and 200 but there is no bicycle in the data. Expected title, price, location.',
        jobId: id,
      }
    },
  },
  {
    name: 'a gate of the whole company',
    cause: 'login-redirect',
    routes: {
      '/kb/*': ({ toOtherSiteUrl }) => ({
        status: 302,
        headers: { location: toOtherSiteUrl('/sso/realms/staff/auth?client=kb') },
      }),
      '/sso/*': html(
        'Company sign-on',
        '<main><h1>Company sign-on</h1><p>Choose how to identify yourself.</p><ul><li><a href="/sso/card">Staff card</a></li><li><a href="/sso/code">One-time code</a></li></ul></main>',
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/kb/holiday-rules') })
      kit.check('the gate', text.includes('Staff card'))
      return {
        question:
          'holiday rules page gives me a choice between card and code. That is not what is on the page.',
        jobId: id,
      }
    },
  },
  {
    name: 'a listing that was taken down',
    cause: 'soft-404',
    routes: {
      '/boats/*': html(
        'Boat market',
        `<main><h1>This listing no longer exists</h1><p>The seller has removed the boat, or it has been sold.</p><h2>You may also like</h2><ul><li><a href="/boats/2">Dinghy</a></li><li><a href="/boats/3">Canoe</a></li></ul></main>`,
      ),
    },
    async arrange(kit) {
      const { id, body } = await kit.scrape({ url: kit.url('/boats/1187') })
      kit.check('status 200', body.data?.metadata?.statusCode === 200)
      return {
        question:
          'No length, no engine, no price for boat 1187, but for 1186 all of that came. What happened?',
        jobId: id,
      }
    },
  },
  {
    name: 'a wait that is longer than the time',
    cause: 'timeout',
    acceptedCauses: ['late-content'],
    routes: {
      '/lab': html(
        'Lab',
        `<main><h1>Lab</h1>${prose('The lab')}<p id="done"></p></main><script>setTimeout(() => { document.getElementById('done').textContent = 'Sample 61 is stable.' }, 7000)</script>`,
      ),
    },
    async arrange(kit) {
      const { id, code } = await kit.scrape({
        url: kit.url('/lab'),
        timeout: 5000,
        actions: [{ type: 'wait', selector: '#done:not(:empty)' }],
      })
      kit.check('out of time', code === 'SCRAPE_ACTION_ERROR' || code === 'SCRAPE_TIMEOUT')
      return {
        question: 'My wait action makes the whole scrape fail. Without it the sample is missing.',
        jobId: id,
      }
    },
    fix: returnsText('Sample 61', { timeout: 40_000 }),
  },
  {
    name: 'a report that is written while one waits',
    cause: 'timeout',
    routes: {
      '/report': {
        afterMs: 8500,
        body: html(
          'Report',
          `<main><h1>Report</h1>${prose('The report')}<p>Net loss of 31 barrels.</p></main>`,
        ),
      },
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { code } = await kit.scrape({
        url: kit.url('/report'),
        timeout: 5000,
        formats: ['markdown', 'html'],
      })
      kit.check('out of time', code === 'SCRAPE_TIMEOUT')
      return {
        question:
          'HTTP 408 for our reporting server. It needs around 10s to build a report. Can the service be told to be patient?',
      }
    },
    fix: returnsText('31 barrels', { timeout: 60_000 }),
  },
  {
    name: 'a batch that insists on certificates',
    cause: 'tls-error',
    routes: {
      '/*': html('Meter', `<main><h1>Meter</h1>${prose('The meter')}<p>Reading: 88 gallons.</p></main>`),
    },
    async arrange(kit) {
      const { id, text } = await kit.batch({ urls: [kit.httpsUrl('/meter/1')], skipTlsVerification: false })
      kit.check('no page', !text.includes('88 gallons'))
      return {
        question:
          'completed: 0 of 1. The device has an HTTPS page with its own certificate, is that the reason?',
        jobId: id,
      }
    },
    fix: returnsText('88 gallons', { skipTlsVerification: true }),
  },
  {
    name: 'https where there is none',
    cause: 'tls-error',
    routes: { '/*': html('Kiosk', `<main><h1>Kiosk</h1>${prose('The kiosk')}</main>`) },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/').replace('http:', 'https:') })
      kit.check('a TLS error', code === 'SCRAPE_SSL_ERROR')
      return {
        question: 'what does SCRAPE_SSL_ERROR mean here, skipTlsVerification is already on by default?!',
        jobId: id,
      }
    },
  },
  {
    name: 'a crawl of a domain that has lapsed',
    cause: 'dns-error',
    async arrange(kit) {
      const { id, pages } = await kit.crawl({ url: 'https://old-observatory.invalid/', limit: 10 })
      kit.check('no pages', pages.length === 0)
      return {
        question: 'Crawl of the observatory is over within a second and has no pages. Last year this worked.',
        jobId: id,
      }
    },
  },
  {
    name: 'a redirect into a private network',
    cause: 'refused-address',
    routes: { '/portal': { status: 302, headers: { location: 'http://192.168.40.2:8080/portal' } } },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/portal') })
      kit.check('refused', code === 'TARGET_FORBIDDEN')
      return {
        question: 'Public page, no login, still FORBIDDEN. My colleagues in the office can open it.',
        jobId: id,
      }
    },
  },
  {
    name: 'the metadata of a cloud machine',
    cause: 'refused-address',
    async arrange(kit) {
      const { code } = await kit.map({ url: 'http://169.254.169.254/latest/' })
      kit.check('refused', code === 'TARGET_FORBIDDEN')
      return {
        question:
          'Mapping an address of our cloud network is not possible, the request is rejected right away. Which setting do I need?',
        context: { request: { url: 'http://169.254.169.254/latest/' }, code },
      }
    },
  },
]
