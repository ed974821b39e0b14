import type { SupportCase } from '../../case.ts'
import { html, prose } from '../../pages.ts'

const page = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name)}</main>`)

/** Cases of formats, browsers, sessions and searches, with questions that omit the error code. */
export const featureElsewhereCases: readonly SupportCase[] = [
  {
    name: 'fields of flats on a page about a hill',
    cause: 'schema-not-filled',
    routes: { '/hill/*': page('The hill') },
    async arrange(kit) {
      const properties = {
        rentPerMonth: { type: 'number' },
        numberOfRooms: { type: 'integer' },
        landlordEmail: { type: 'string' },
      }
      const { id, body } = await kit.batch({
        urls: [kit.url('/hill/1'), kit.url('/hill/2')],
        formats: [{ type: 'json', schema: { type: 'object', properties } }],
      })
      kit.check('nothing filled', body.data?.length === 2 && body.data[0].json?.rentPerMonth === undefined)
      return {
        question: 'json is {} in both. Must I wait longer until the page is loaded?',
        jobId: id,
      }
    },
  },
  {
    name: 'a task in words that nobody understands',
    cause: 'model-not-configured',
    routes: { '/speech': page('The speech') },
    async arrange(kit) {
      const { id } = await kit.scrape({ url: kit.url('/speech') })
      const { status, body } = await kit.call('POST', `/v2/scrape/${id}/interact`, {
        body: { prompt: 'Open the second part and tell me what the speaker promises.' },
      })
      kit.check('no model', body.code === 'MODEL_NOT_CONFIGURED')
      return {
        question: 'I tell it in plain English what to click and get an error. Page too long?',
        context: { status },
        jobId: id,
      }
    },
  },
  {
    name: 'clicks without anything to click with',
    cause: 'browser-missing',
    environment: 'bare',
    routes: { '/menu': page('The menu') },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { code } = await kit.scrape({
        url: kit.url('/menu'),
        actions: [{ type: 'click', selector: 'h1' }],
      })
      kit.check('no browser', code === 'BROWSER_NOT_CONFIGURED')
      return { question: 'actions dont function, what i do wrong? selector is correct i tested in console' }
    },
  },
  {
    name: 'code for a page without a sandbox',
    cause: 'sandbox-missing',
    environment: 'narrow',
    routes: { '/quiz': page('The quiz') },
    async arrange(kit) {
      const { id } = await kit.scrape({ url: kit.url('/quiz') })
      const { body, status } = await kit.call('POST', `/v2/scrape/${id}/interact`, {
        body: { code: 'await page.title()' },
      })
      kit.check('no sandbox', body.code === 'SANDBOX_NOT_CONFIGURED')
      return {
        question: 'interact gives an error, scrape of the same page is fine. Do I need more credits for it?',
        context: { status },
        jobId: id,
      }
    },
  },
  {
    name: 'a page that was closed after the first step',
    cause: 'session-expired',
    routes: { '/form': page('The form') },
    async arrange(kit) {
      const { id } = await kit.scrape({ url: kit.url('/form') })
      const step = () => kit.call('POST', `/v2/scrape/${id}/interact`, { body: { code: '1 + 2' } })
      const first = await step()
      await kit.call('DELETE', `/v2/scrape/${id}/interact`)
      const { status } = await step()
      kit.check('gone', first.status === 200 && status === 410)
      return {
        question: 'first step of the form went through, second step is an error. rate limit?',
        jobId: id,
      }
    },
  },
  {
    name: 'two robots with one set of cookies',
    cause: 'profile-in-use',
    async arrange(kit) {
      const open = () =>
        kit.call('POST', '/v2/browser', { body: { ttl: 300, profile: { name: 'night-shift' } } })
      await open()
      const { status, body } = await open()
      kit.check('in use', body.code === 'PROFILE_IN_USE')
      return {
        question: 'I start two workers with the same login. The second can not open its browser.',
        context: { status },
      }
    },
  },
  {
    name: 'news that no engine brings',
    cause: 'search-provider-down',
    environment: 'narrow',
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { code } = await kit.search({ query: 'ferry strike on the islands', limit: 3 })
      kit.check('no provider', code === 'SEARCH_ENGINE_FAILED')
      return { question: 'I find nothing about the ferry strike. wrong language settings?' }
    },
  },
]
