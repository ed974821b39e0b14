import type { SupportCase } from '../../case.ts'
import { html, prose, returnsText } from '../../pages.ts'

const text = { type: 'string' }

/** Cases of formats, browsers, sessions and searches with missing requirements. */
export const featureCases: readonly SupportCase[] = [
  {
    name: 'names that nobody uses',
    cause: 'schema-not-filled',
    routes: {
      '/villa': html(
        'Villa Sol',
        `<main><h1>Villa Sol</h1>${prose('The villa')}<p>It was sold for a good sum in spring.</p></main>`,
      ),
    },
    async arrange(kit) {
      const schema = {
        type: 'object',
        properties: { f17: text, zz_qual: { type: 'number' }, energyCertificateId: text },
        required: ['energyCertificateId'],
      }
      const { id, body } = await kit.scrape({
        url: kit.url('/villa'),
        formats: ['markdown', { type: 'json', schema }],
      })
      kit.check('not filled', body.success === true && body.data?.json?.energyCertificateId === undefined)
      return {
        question:
          'A required field of my JSON schema is missing in the result. I thought required means I always get it?',
        jobId: id,
        rationale: 'Database import fails because a column is null.',
      }
    },
  },
  {
    name: 'a task in words',
    cause: 'model-not-configured',
    routes: { '/form': html('Form', `<main><h1>Form</h1>${prose('The form')}<button>Next</button></main>`) },
    async arrange(kit) {
      const { id } = await kit.scrape({ url: kit.url('/form') })
      const { status, body } = await kit.call('POST', `/v2/scrape/${id}/interact`, {
        body: { prompt: 'Press Next and tell me what happens' },
      })
      kit.check('no model', body.code === 'MODEL_NOT_CONFIGURED')
      return {
        question: 'interact with code works, interact with a prompt does not. Why?',
        jobId: id,
        context: { status, body },
      }
    },
  },
  {
    name: 'clicks without a browser',
    cause: 'browser-missing',
    environment: 'bare',
    routes: {
      '/slides': html(
        'Slides',
        `<main><h1>Slides</h1>${prose('The slide')}<button id="n">Next</button></main>`,
      ),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const actions = [{ type: 'click', selector: '#n' }]
      const { code } = await kit.scrape({ url: kit.url('/slides'), actions })
      kit.check('no browser', code === 'BROWSER_NOT_CONFIGURED')
      return {
        question:
          'actions: is there something I have to install first? my scrape with a click is answered with service unavailable',
      }
    },
  },
  {
    name: 'an app on a machine without a browser',
    cause: 'browser-missing',
    acceptedCauses: ['javascript-shell'],
    environment: 'bare',
    routes: {
      '/tv': html(
        'Guide',
        `<div id="root"></div><script>document.getElementById('root').innerHTML = ${JSON.stringify(prose('The programme'))}</script>`,
      ),
    },
    async arrange(kit) {
      const { id, text: got } = await kit.scrape({ url: kit.url('/tv') })
      kit.check('no text', !got.includes('programme'))
      return {
        question:
          'Page comes back blank on the self-hosted box. On the hosted demo the same call returns the TV guide.',
        jobId: id,
      }
    },
  },
  {
    name: 'code on a page without a sandbox',
    cause: 'sandbox-missing',
    environment: 'narrow',
    routes: { '/piano': html('Piano', `<main><h1>Piano</h1>${prose('The piano')}</main>`) },
    async arrange(kit) {
      const { id } = await kit.scrape({ url: kit.url('/piano') })
      const { status, body } = await kit.call('POST', `/v2/scrape/${id}/interact`, {
        body: { code: 'await page.title()' },
      })
      kit.check('no sandbox', body.code === 'SANDBOX_NOT_CONFIGURED')
      return {
        question: `After a good scrape I call interact with two lines of code and get ${status}.`,
        jobId: id,
      }
    },
  },
  {
    name: 'code after the end',
    cause: 'session-expired',
    routes: { '/till': html('Till', `<main><h1>Till</h1>${prose('The till')}</main>`) },
    async arrange(kit) {
      const { id } = await kit.scrape({ url: kit.url('/till') })
      const run = () =>
        kit.call('POST', `/v2/scrape/${id}/interact`, { body: { code: 'await page.title()' } })
      await run()
      await kit.call('DELETE', `/v2/scrape/${id}/interact`)
      const { status, body } = await run()
      kit.check('gone', status === 410)
      return {
        question: 'Second run of my script against the same scrape id fails, the first run was perfect.',
        jobId: id,
        context: { error: body.error },
      }
    },
  },
  {
    name: 'two sessions under one name',
    cause: 'profile-in-use',
    async arrange(kit) {
      const open = () =>
        kit.call('POST', '/v2/browser', { body: { ttl: 300, profile: { name: 'bank clerk' } } })
      await open()
      const { status, body } = await open()
      kit.check('in use', body.code === 'PROFILE_IN_USE')
      return {
        question: 'We want two browsers with the same stored login at once. The second one will not open.',
        context: { status, message: body.error, profile: 'bank clerk' },
      }
    },
  },
  {
    name: 'a scrape during another',
    cause: 'profile-in-use',
    routes: {
      '/inbox': html(
        'Inbox',
        `<main><h1>Inbox</h1>${prose('The inbox')}<p>One letter from Salvador.</p></main>`,
      ),
    },
    async arrange(kit) {
      const profile = { name: 'mail', saveChanges: true }
      await kit.call('POST', '/v2/browser', { body: { ttl: 400, profile } })
      const { id, status } = await kit.scrape({ url: kit.url('/inbox'), profile, maxAge: 0 })
      kit.check('in use', status === 409)
      return {
        question:
          'scraping with a saved login gives me HTTP 409, I need to read only, nothing has to be saved',
        jobId: id,
      }
    },
    fix: returnsText('Salvador', { profile: { saveChanges: false } }),
  },
  {
    name: 'pictures that nobody finds',
    cause: 'search-provider-down',
    environment: 'narrow',
    async arrange(kit) {
      const { status, code, body } = await kit.search({
        query: 'heron at dawn',
        sources: ['images', 'news'],
        limit: 5,
      })
      kit.check('no provider', code === 'SEARCH_ENGINE_FAILED')
      return {
        question: 'Can you tell me why image search is broken?',
        context: { status, details: body.details },
      }
    },
  },
]
