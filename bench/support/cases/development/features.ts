import { setTimeout as sleep } from 'node:timers/promises'
import type { SupportCase } from '../../case.ts'
import { html, prose, returnsText } from '../../pages.ts'

const object = (properties: object) => ({ type: 'object', properties })
const text = { type: 'string' }

/** Cases of formats, browsers, sessions and searches with missing requirements. */
export const featureCases: readonly SupportCase[] = [
  {
    name: 'a schema for another kind of page',
    cause: 'schema-not-filled',
    routes: {
      '/harbour': html('The harbour', `<main><h1>The harbour</h1>${prose('The harbour')}</main>`),
    },
    async arrange(kit) {
      const schema = object({
        sku: text,
        gtin: text,
        stockLevel: { type: 'integer' },
        warrantyMonths: { type: 'integer' },
      })
      const { id, body } = await kit.scrape({ url: kit.url('/harbour'), formats: [{ type: 'json', schema }] })
      const found = body.data?.json ?? {}
      kit.check(
        'nothing filled',
        body.success === true && found.sku === undefined && found.gtin === undefined,
      )
      return {
        question: 'json comes back without sku and gtin, the fields of my schema are just not there',
        jobId: id,
      }
    },
  },
  {
    name: 'a prompt without a model',
    cause: 'model-not-configured',
    routes: { '/menu': html('Menu', `<main><h1>Menu</h1>${prose('The menu')}</main>`) },
    async arrange(kit) {
      const formats = [{ type: 'json', prompt: 'What are the three cheapest dishes, and are they vegan?' }]
      const { id, status, warning } = await kit.scrape({ url: kit.url('/menu'), formats })
      kit.check('no model', status === 503 || /model/i.test(warning))
      return {
        question: 'The extraction with a prompt does not give me any json. What do I have to set up?',
        jobId: id,
      }
    },
  },
  {
    name: 'a screenshot without a browser',
    cause: 'browser-missing',
    environment: 'bare',
    routes: { '/poster': html('Poster', `<main><h1>Poster</h1>${prose('The poster')}</main>`) },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/poster'), formats: ['screenshot'] })
      kit.check('no browser', code === 'BROWSER_NOT_CONFIGURED')
      return { question: 'markdown works but as soon as I add a screenshot I get a 503', jobId: id }
    },
  },
  {
    name: 'sessions without a sandbox',
    cause: 'sandbox-missing',
    environment: 'narrow',
    async arrange(kit) {
      const { status, body } = await kit.call('POST', '/v2/browser', { body: { ttl: 60 } })
      kit.check('no sandbox', body.code === 'SANDBOX_NOT_CONFIGURED')
      return {
        question: 'Opening a browser session fails on our server, on my laptop it works. Same version. Why?',
        context: { endpoint: '/v2/browser', status, error: body.error },
      }
    },
  },
  {
    name: 'a session that was left alone',
    cause: 'session-expired',
    async arrange(kit) {
      const { body: session } = await kit.call('POST', '/v2/browser', { body: { ttl: 60, activityTtl: 10 } })
      await sleep(12_000)
      const { status } = await kit.call('POST', `/v2/browser/${session.id}/execute`, {
        body: { code: '1 + 1' },
      })
      kit.check('gone', status === 410)
      return {
        question: 'My execute calls worked, then I had lunch, and now each of them returns 410.',
        jobId: session.id,
      }
    },
  },
  {
    name: 'a scrape beside a session that saves',
    cause: 'profile-in-use',
    routes: {
      '/basket': html('Basket', `<main><h1>Basket</h1>${prose('The basket')}<p>Two pears inside.</p></main>`),
    },
    async arrange(kit) {
      const profile = { name: 'shopper' }
      await kit.call('POST', '/v2/browser', { body: { ttl: 600, profile } })
      const { id, code } = await kit.scrape({ url: kit.url('/basket'), profile })
      kit.check('in use', code === 'PROFILE_IN_USE')
      return {
        question: 'Conflict 409 when I scrape with my profile "shopper". How do I get around that?',
        jobId: id,
      }
    },
    fix: returnsText('Two pears', { profile: { saveChanges: false } }),
  },
  {
    name: 'a search engine of our own that is gone',
    cause: 'search-provider-down',
    environment: 'narrow',
    async arrange(kit) {
      const { id, code } = await kit.search({ query: 'pruning of apple trees' })
      kit.check('no provider', code === 'SEARCH_ENGINE_FAILED')
      return { question: 'search stopped working yesterday, all queries give 503', jobId: id }
    },
  },
  {
    name: 'a session that somebody has ended',
    cause: 'session-expired',
    async arrange(kit) {
      const { body: session } = await kit.call('POST', '/v2/browser', { body: { ttl: 60 } })
      await kit.call('DELETE', `/v2/browser/${session.id}`)
      const { status, body } = await kit.call('POST', `/v2/browser/${session.id}/execute`, {
        body: { code: '1' },
      })
      kit.check('gone', status === 410)
      return {
        question: `What does this mean and what should my agent do now? ${body.error}`,
        context: { sessionId: session.id },
      }
    },
  },
]
