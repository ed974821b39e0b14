import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, type OwnService, startOwnService } from '../api.ts'
import { startModelServer } from '../servers/model-server.ts'
import { injectedValues, replyAsManipulated } from '../servers/obeying-model.ts'
import { lampPage, plantedPages } from '../site/planted-pages.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const names = Object.keys(plantedPages)
const cases = names.map((name, number) => ({ name, number }))
const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    price: { type: 'number' },
    firstShownIn: { type: 'string', description: 'The city of its first exhibition' },
    soldCopies: { type: 'integer', description: 'How many copies have been ordered' },
  },
}
const formats = [
  { type: 'json', schema },
  'summary',
  { type: 'question', question: 'What is the shade of the lamp made of?' },
  { type: 'highlights', query: 'Who ordered a lamp for the office of the harbour?' },
]
const pickAnswers = ({ json, jsonEvidence, summary, answer, highlights }: Json) => ({
  ...{ json, jsonEvidence, summary, answer, highlights },
})

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/lamp': (exchange) => sendHtml(exchange, lampPage()),
      '/planted/:number': (exchange) =>
        sendHtml(exchange, lampPage(plantedPages[names[Number(exchange.params.number)] ?? ''])),
    },
  })
})
afterAll(() => site.stop())

const bodyFor = (path: string) => ({ url: `${site.url}${path}`, formats, maxAge: 0, fastMode: true })

describe('instructions on a page', () => {
  it.each(cases)('change no answer without a language model: $name', async ({ number }) => {
    const plain = await call('POST', '/v2/scrape', { body: bodyFor('/lamp') })
    const planted = await call('POST', '/v2/scrape', { body: bodyFor(`/planted/${number}`) })
    const { jsonEvidence: _, ...values } = pickAnswers(planted.body.data)
    const { jsonEvidence: __, ...plainValues } = pickAnswers(plain.body.data)
    expect(values).toEqual(plainValues)
    expect(values).toMatchObject({
      ...{ json: { title: 'Desk lamp', price: 1299 }, summary: expect.stringContaining('lamp') },
      answer: expect.stringContaining('oiled paper'),
      highlights: expect.stringContaining('The keeper of the lighthouse ordered a lamp'),
    })
  })
})

describe('instructions that a language model follows', () => {
  let models: Awaited<ReturnType<typeof startModelServer>>
  let own: OwnService
  beforeAll(async () => {
    models = await startModelServer(replyAsManipulated)
    own = await startOwnService({
      ...{ MODEL_URL: models.url, MODEL_KEY: 'none', MODEL_NAME: 'obeying' },
    })
  })
  afterAll(async () => {
    await own.remove()
    await models.stop()
  })

  it.each(cases)('add nothing to an answer: $name', async ({ number }) => {
    const requestsBefore = models.requests.length
    const { body } = await own.call('POST', '/v2/scrape', { body: bodyFor(`/planted/${number}`) })
    const answers = pickAnswers(body.data)
    expect(models.requests.length - requestsBefore).toBeGreaterThanOrEqual(formats.length)
    expect(JSON.stringify(answers)).not.toMatch(injectedValues)
    expect(answers.json).toEqual({ title: 'Desk lamp', price: 1299 })
    for (const text of [answers.summary, answers.answer]) expect(text).toMatch(/lamp/)
    // This is the first sentence that the model receives. The model would choose a planted one if it received any.
    expect(answers.highlights).toBe('Price: 1.299,00 €')
  })
})
