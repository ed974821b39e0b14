import type { Json } from '../../call.ts'
import type { SupportCase } from '../../case.ts'
import { html, prose, returnsText } from '../../pages.ts'

/** Cases of missing pages of batches, crawls and maps, whose user suspects a wrong cause. */
export const fetchingElsewhereCases: readonly SupportCase[] = [
  {
    name: 'a shop that interrupts visitors',
    cause: 'blocked',
    routes: {
      '/*': {
        status: 403,
        body: html(
          'Pardon Our Interruption',
          '<h1>Pardon Our Interruption...</h1><p>As you were browsing, something about your browser made us think you were a bot. To regain access, please make sure that cookies and JavaScript are enabled and complete the CAPTCHA below.</p><div class="g-recaptcha" data-sitekey="x"></div>',
        ),
      },
    },
    async arrange(kit) {
      const urls = ['ladder', 'bench', 'vice'].map((name) => kit.url(`/dp/${name}`))
      const { id, body } = await kit.batch({ urls })
      kit.check(
        'no page',
        (body.data ?? []).every(({ metadata }: Json) => metadata.statusCode === 403),
      )
      return {
        question: 'it does not work, i get not the products. is my api key wrong?',
        jobId: id,
      }
    },
  },
  {
    name: 'a server that asks for patience',
    cause: 'blocked',
    acceptedCauses: ['rate-limit'],
    routes: {
      '/*': {
        status: 429,
        headers: { 'retry-after': '3600' },
        body: html(
          '429 Too Many Requests',
          '<h1>Too Many Requests</h1><p>Your address has been limited.</p>',
        ),
      },
    },
    async arrange(kit) {
      const { id, body } = await kit.scrape({ url: kit.url('/quotes/today'), maxAge: 0 })
      kit.check('429 of the site', body.data?.metadata?.statusCode === 429)
      return {
        question: 'No quotes. I suppose that the page has JavaScript?',
        context: { tool: 'own script in Go' },
        jobId: id,
      }
    },
  },
  {
    name: 'a batch with a second for each page',
    cause: 'timeout',
    routes: {
      '/herbs/*': {
        afterMs: 4000,
        body: html('Herb', `<main><h1>Herb</h1>${prose('The herb')}<p>Harvest it before noon.</p></main>`),
      },
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { text } = await kit.batch({
        urls: [kit.url('/herbs/thyme'), kit.url('/herbs/sage')],
        timeout: 1500,
      })
      kit.check('no page', !text.includes('before noon'))
      return {
        question: 'Both herb pages of my batch are in error. They blocked us, right?',
      }
    },
    fix: returnsText('before noon', { timeout: 20_000 }),
  },
  {
    name: 'an appliance that a batch does not trust',
    cause: 'tls-error',
    routes: {
      '/readings/*': html(
        'Readings',
        `<main><h1>Readings</h1>${prose('The meter')}<p>Meter two stands at 7718.</p></main>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.batch({
        urls: [kit.httpsUrl('/readings/1'), kit.httpsUrl('/readings/2')],
        skipTlsVerification: false,
      })
      kit.check('no page', !text.includes('7718'))
      return { question: 'data: [] :( are you down?', jobId: id }
    },
    fix: returnsText('7718', { skipTlsVerification: true }),
  },
  {
    name: 'two names that are not there beside one that is',
    cause: 'dns-error',
    routes: { '/press': html('Press', `<main><h1>Press</h1>${prose('The press')}</main>`) },
    async arrange(kit) {
      const urls = [
        kit.url('/press'),
        'http://press.old-harbour.invalid/',
        'http://media.old-harbour.invalid/',
      ]
      const { id, pages } = await kit.batch({ urls })
      kit.check('one page', pages.length === 1)
      return {
        question: 'I gave 3 links, got back 1. Is there a limit on batches in the free version?',
        jobId: id,
      }
    },
  },
  {
    name: 'a crawl of a name that is not there',
    cause: 'dns-error',
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { pages } = await kit.crawl({ url: 'http://docs.brass-gears.invalid/manual/', limit: 5 })
      kit.check('no page', pages.length === 0)
      return {
        question:
          'zero pages from docs.brass-gears.invalid. i suspect robots.txt, can you make it ignore that',
      }
    },
  },
  {
    name: 'a short link into the office',
    cause: 'refused-address',
    routes: { '/go/*': { status: 302, headers: { location: 'http://192.168.40.2/intranet/menu' } } },
    async arrange(kit) {
      const { id, code, body } = await kit.scrape({ url: kit.url('/go/menu') })
      kit.check('refused', code === 'TARGET_FORBIDDEN' || /private|reserved/.test(String(body.error)))
      return {
        question: 'Short links of ours do not work with your scraper. In the browser this one opens fine.',
        jobId: id,
      }
    },
  },
  {
    name: 'two calls that fail for different reasons',
    cause: 'refused-address',
    async arrange(kit) {
      const { code } = await kit.scrape({ url: 'http://172.16.9.30:3000/board' })
      await kit.scrape({ url: 'http://boards.paper-mill.invalid/' })
      await kit.makeUnrelatedCalls()
      kit.check('refused', code === 'TARGET_FORBIDDEN')
      return {
        question:
          'two things fail today. for the second the name was wrong, i know. but what about http://172.16.9.30:3000/board ? i can ping it from the machine where your service runs',
      }
    },
  },
]
