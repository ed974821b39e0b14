import { setTimeout as sleep } from 'node:timers/promises'
import { lazy } from '../../../../src/platform/functions.ts'
import { pdf } from '../../../../test/documents/pdf.ts'
import type { Json } from '../../call.ts'
import type { SupportCase } from '../../case.ts'
import { scanned } from '../../files.ts'
import { html, numbered, prose, returnsResult, returnsText } from '../../pages.ts'

const page = (name: string) => html(name, `<main><h1>${name}</h1>${prose(name)}</main>`)
const register = lazy(() => scanned(['Register of boats', 'The Marigold belongs', 'to Tobias Finch.']))

/** Cases of keys, credits, limits and files, with short questions or a wrong guess. */
export const accountElsewhereCases: readonly SupportCase[] = [
  {
    name: 'nothing but the cache',
    cause: 'cache-miss',
    routes: {
      '/tides': html('Tides', `<main><h1>Tides</h1>${prose('The tide')}<p>High water at 5:10.</p></main>`),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { code } = await kit.scrape({ url: kit.url('/tides'), lockdown: true })
      kit.check('no copy', code === 'SCRAPE_LOCKDOWN_CACHE_MISS')
      return {
        question: `404 for ${kit.url('/tides')} but it is not deleted, look yourself. Are you blocked there?`,
      }
    },
    fix: returnsText('High water at 5:10', { lockdown: false }),
  },
  {
    name: 'a batch of copies that nobody made',
    cause: 'cache-miss',
    routes: {
      '/tables/*': html('Table', `<main><h1>Table</h1>${prose('The table')}<p>Row forty is blue.</p></main>`),
    },
    async arrange(kit) {
      const urls = [kit.url('/tables/1'), kit.url('/tables/2')]
      const { id, text } = await kit.batch({ urls, minAge: 600_000 })
      kit.check('no page', !text.includes('Row forty'))
      return { question: 'batch completed but where is my data', jobId: id }
    },
    fix: returnsText('Row forty', { minAge: null }),
  },
  {
    name: 'a key without its word before it',
    cause: 'wrong-key',
    async arrange(kit) {
      const headers = { authorization: '', 'x-api-key': kit.key }
      const { status, body } = await kit.call('POST', '/v2/crawl', { body: { url: kit.url('/') }, headers })
      kit.check('401', status === 401)
      return {
        question: `my no-code tool says: ${body.error} I copied the key two times, it is correct! do i have credits?`,
      }
    },
  },
  {
    name: 'the last credits of the month',
    cause: 'no-credits',
    environment: 'narrow',
    routes: { '/*': page('The pamphlet') },
    async arrange(kit) {
      await kit.batch({ urls: numbered(20, (n) => kit.url(`/pamphlet/${n}`)) })
      const { status } = await kit.map({ url: kit.url('/') })
      kit.check('402', status === 402)
      return { question: 'map broken?? same request was okay before lunch' }
    },
  },
  {
    name: 'a script that retries at once',
    cause: 'rate-limit',
    environment: 'narrow',
    async arrange(kit) {
      const answers: Json[] = []
      for (const _ of numbered(16, String)) {
        answers.push(await kit.call('POST', '/v2/scrape', { body: { url: 'http://nowhere.invalid/' } }))
      }
      const refused = answers.find(({ status }) => status === 429)
      kit.check('429', refused !== undefined)
      return {
        question: `has your firewall banned my ip? after a dozen of calls: "${refused?.body.error}"`,
      }
    },
  },
  {
    name: 'a scrape that waits behind a batch',
    cause: 'concurrency-limit',
    acceptedCauses: ['timeout'],
    environment: 'narrow',
    routes: { '/slow/*': { afterMs: 7000, body: page('The mill') }, '/quick': page('The stream') },
    async arrange(kit) {
      const urls = [kit.url('/slow/1'), kit.url('/slow/2')]
      const { body } = await kit.call('POST', '/v2/batch/scrape', { body: { urls } })
      await sleep(1200)
      const { id, code } = await kit.scrape({ url: kit.url('/quick'), timeout: 3000 })
      kit.check('no slot', code === 'CONCURRENCY_QUEUE_TIMEOUT')
      await kit.call('DELETE', `/v2/batch/scrape/${body.id}`)
      return {
        question: 'This page loads in 50 ms everywhere, only with you it times out. Robots?',
        jobId: id,
      }
    },
  },
  {
    name: 'a register that is a photograph',
    cause: 'pdf-scanned',
    async arrange(kit) {
      const { id, code } = await kit.parse(
        { bytes: await register(), name: 'register.pdf' },
        { parsers: [{ type: 'pdf', mode: 'fast' }] },
      )
      kit.check('needs OCR', code === 'SCRAPE_PDF_OCR_REQUIRED')
      return { question: 'pdf upload fail. file is to big maybe?', jobId: id }
    },
    fix: returnsResult(({ text }) => /tobias\s+finch/i.test(text), {
      parsers: [{ type: 'pdf', mode: 'ocr' }],
    }),
  },
  {
    name: 'a contract behind a link that has a password',
    cause: 'file-encrypted',
    routes: {
      '/contract.pdf': {
        headers: { 'content-type': 'application/pdf' },
        body: pdf([{ lines: [{ text: 'Contract', y: 100 }] }], { encrypted: true }),
      },
      '/terms': page('The terms'),
    },
    async arrange(kit) {
      const { id, pages } = await kit.batch({ urls: [kit.url('/contract.pdf'), kit.url('/terms')] })
      kit.check('only the terms', pages.length === 1)
      return { question: 'The contract is missing from the batch. Timeout?', jobId: id }
    },
  },
  {
    name: 'a price list that grew',
    cause: 'file-too-large',
    environment: 'narrow',
    routes: {
      '/prices.pdf': {
        headers: { 'content-type': 'application/pdf' },
        body: pdf([{ draw: `\n${numbered(120_000, (n) => `% ${Math.sin(n)}`).join('\n')}\n` }]),
      },
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { body, status } = await kit.scrape({ url: kit.url('/prices.pdf') })
      kit.check('refused', status >= 400 && body.success === false)
      return {
        question: 'prices.pdf of our supplier fails since they added products. Do they block robots now?',
      }
    },
  },
]
