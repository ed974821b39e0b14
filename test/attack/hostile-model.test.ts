import { afterAll, beforeAll, describe, expect } from 'vitest'
import { callAt, type Json, type OwnService, startOwnService } from '../api.ts'
import { hostileNames, startHostileModel } from '../servers/hostile-model.ts'
import { lampPage } from '../site/planted-pages.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass } from './attack.ts'

/**
 * Model server with invalid completions. Every call must end with a code, and no account may change in the wrong
 * direction.
 */
let site: Site
let model: Awaited<ReturnType<typeof startHostileModel>>
let own: OwnService
let key: string
let session: string
const credits = 100_000

beforeAll(async () => {
  ;[site, model] = await Promise.all([
    startSite({ routes: { '/lamp': (exchange) => sendHtml(exchange, lampPage()) } }),
    startHostileModel(),
  ])
  own = await startOwnService({
    ...{ MODEL_URL: model.url, MODEL_KEY: 'k', MODEL_NAME: 'small', MODEL_TIMEOUT_MS: '2000' },
    ...{ TEAM_CREDITS: String(credits), SUPPORT_SECONDS: '20', SUPPORT_TRIALS_PER_DAY: '0' },
    ...{ RATE_PER_MINUTE: '100000', SEARCH_PROVIDERS: 'none' },
  })
  key = await own.newTeam()
  const { body } = await call('POST', '/v2/scrape', { url: `${site.url}/pages/1` })
  session = body.data.metadata.scrapeId
}, 120_000)
afterAll(async () => {
  await own.remove()
  await Promise.all([model.stop(), site.stop()])
})

const call = (method: string, path: string, body?: object) => callAt(own.url, method, path, { key, body })

async function ended(path: string): Promise<Json> {
  let last: Json
  const read = async () => {
    last = await call('GET', path)
    return last.body.status
  }
  await expect.poll(read, { timeout: 90_000, interval: 200 }).not.toMatch(/processing|running|queued/)
  return last
}

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    firstShownIn: { type: 'string', description: 'The city of its first exhibition' },
  },
}
let turn = 0
const page = () => {
  turn += 1
  return `${site.url}/lamp?turn=${turn}`
}
const scraped = (format: unknown) => () =>
  call('POST', '/v2/scrape', { url: page(), formats: [format], timeout: 30_000 })

/** Every kind of call that uses the model. */
const callers: Record<string, () => Promise<{ status: number; body: Json }>> = {
  json: scraped({ type: 'json', schema }),
  'json without a schema': scraped({ type: 'json', prompt: 'Who wrote it?' }),
  summary: scraped('summary'),
  question: scraped({ type: 'question', question: 'What is the shade of the lamp made of?' }),
  highlights: scraped({ type: 'highlights', query: 'Who ordered a lamp for the office of the harbour?' }),
  'docs-search': () => call('POST', '/v2/support/docs-search', { question: 'How do I make a backup?' }),
  interact: () =>
    call('POST', `/v2/scrape/${session}/interact`, { prompt: 'What is this page?', timeout: 20 }),
  async extract() {
    const { status, body } = await call('POST', '/v2/extract', {
      urls: [page()],
      schema,
      prompt: 'The author',
    })
    return status === 200 ? ended(`/v2/extract/${body.id}`) : { status, body }
  },
  async agent() {
    const request = { prompt: 'Who wrote it?', urls: [page()], effort: 'low', schema }
    const { status, body } = await call('POST', '/v2/agent', request)
    return status === 200 ? ended(`/v2/agent/${body.id}`) : { status, body }
  },
  async support() {
    const { body } = await call('POST', '/v2/scrape', { url: page(), fastMode: true })
    const jobId = body.data.metadata.scrapeId
    return call('POST', '/v2/support/ask', { question: 'It is purple.', jobId })
  },
}

const vectors = Object.keys(callers).flatMap((caller) =>
  hostileNames.map((answer) => `${caller} / ${answer}`),
)

describe('a hostile model', () => {
  attackClass({
    name: 'model: answers that no honest model gives',
    vectors,
    // Every tenth vector: each completion once, spread over the callers.
    short: 31,
    timeout: 540_000,
    run: async (vector) => {
      const [caller = '', answer = ''] = vector.split(' / ')
      model.answer(answer)
      const before = await account()
      const requestsBefore = model.asked()
      const { status, body } = (await callers[caller]?.()) ?? { status: 0, body: {} }
      const after = await account()
      const text = JSON.stringify(body)
      if (requestsBefore === model.asked()) return 'the model was not asked'
      // Clients must not retry a task that failed after some steps, so it has status 500 and its own code.
      if ((status === 500 && body.code !== 'INTERACT_FAILED') || /"INTERNAL/.test(text))
        return `${status} ${text.slice(0, 300)}`
      if (status >= 400 && typeof body.code !== 'string')
        return `${status} without a code: ${text.slice(0, 300)}`
      if (Number.isNaN(after.tokens)) return 'the tokens of the team can no longer be read'
      if (after.credits > before.credits) return `credits went from ${before.credits} to ${after.credits}`
      if (after.credits < before.credits - 200)
        return `${before.credits - after.credits} credits were charged`
      if (after.tokens < before.tokens) return `tokens went from ${before.tokens} to ${after.tokens}`
      if (after.tokens - before.tokens > 30_000_000)
        return `${after.tokens - before.tokens} tokens were counted`
      return undefined
    },
  })
})

async function account(): Promise<{ credits: number; tokens: number }> {
  const [remaining, used] = await Promise.all([
    call('GET', '/v2/team/credit-usage'),
    call('GET', '/v2/team/token-usage'),
  ])
  return {
    credits: remaining.body.data.remainingCredits,
    tokens: used.body.data?.modelTokens.today ?? Number.NaN,
  }
}
