import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../api.ts'
import {
  type Asked,
  pageText,
  price,
  type RealModelScene,
  sentences,
  startRealModelScene,
  title,
} from './scene.ts'

let scene: RealModelScene
beforeAll(async () => {
  scene = await startRealModelScene()
}, 180_000)
afterAll(() => scene?.stop())

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    price: { type: 'number' },
    firstShownIn: { type: 'string', description: 'The city of its first exhibition' },
  },
  required: ['title'],
}
const readByRules = ['title', 'price']

/** Without case, marks and white space. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const isOnPage = (text: string) => plain(pageText).includes(plain(text))
const ajv = new Ajv({ strict: false })

/** What holds of every call, however clever the model is: it was asked by the rules, kept to them, and was paid for. */
function expectGoodTalk({ exchanges, used }: Asked): void {
  expect(exchanges.length).toBeGreaterThan(0)
  for (const { path, status, request, answer } of exchanges) {
    expect([path, status]).toEqual(['/v1/chat/completions', 200])
    const { strict, schema: asked } = request.response_format.json_schema
    expect(strict).toBe(true)
    const [{ finish_reason, message }] = answer.choices
    // The server holds the model to the schema; only the end of its tokens can break that.
    if (finish_reason === 'stop') expect(ajv.validate(asked, JSON.parse(message.content))).toBe(true)
    else expect(finish_reason).toBe('length')
  }
  const tokens = exchanges.reduce((sum, { answer }) => sum + answer.usage.total_tokens, 0)
  expect(used).toEqual({ tokens, calls: exchanges.length })
}

/** Names and numbers that the page does not have. */
const invented = (text: string) =>
  [...text.matchAll(/\p{Lu}\p{L}+|\d[\d.,]*\d|\d/gu)].map(([word]) => word).filter((word) => !isOnPage(word))

/** Whether the format has the words of the model; if not, the warning says why. */
const isByModel = ({ warning = '' }: Json) => !/extractive/.test(warning)

function expectQuoted(passages: string[]): void {
  expect(passages.length).toBeGreaterThan(0)
  for (const passage of passages) expect([passage, isOnPage(passage)]).toEqual([passage, true])
}

describe('with a language model that runs here', () => {
  it('the service says that the model is held to schemas', () => {
    expect(scene.capability).toMatchObject({
      ...{ available: true, note: expect.stringContaining('holds its answers to a schema') },
    })
  })

  it('json has what rules read, and of the rest what the page states', async () => {
    const asked = await scene.ask({ type: 'json', schema })
    expectGoodTalk(asked)
    const { json, jsonEvidence, warning = '' } = asked.data
    expect(json).toMatchObject({ title, price: 1299 })
    expect(ajv.validate(schema, json)).toBe(true)
    expect(jsonEvidence.price).toMatchObject({ text: price, reader: 'label' })
    for (const name of Object.keys(schema.properties).filter((other) => !readByRules.includes(other))) {
      if (!(name in json)) expect(warning).toContain(name)
      else expectStated(json[name], jsonEvidence[name])
    }
  })

  it('json by words has only what the page states', async () => {
    const asked = await scene.ask({ type: 'json', prompt: 'the city in which the lamp was first shown' })
    expectGoodTalk(asked)
    const { json, jsonEvidence = {}, warning = '' } = asked.data
    if (json === undefined) expect(warning).toMatch(/^json: /)
    for (const [path, value] of leaves(json)) expectStated(value, jsonEvidence[path])
  })

  it('summary has no name and no number that the page does not have', async () => {
    const asked = await scene.ask('summary')
    expectGoodTalk(asked)
    const { summary } = asked.data
    expect(summary).not.toBe('')
    expect(invented(summary)).toEqual([])
    if (!isByModel(asked.data)) expectQuoted([summary])
  })

  const question = 'Where was the lamp shown for the first time?'
  it.each([
    { type: 'question', question },
    { type: 'query', prompt: question },
  ])('$type answers from sentences that it quotes', async (format) => {
    const asked = await scene.ask(format)
    expectGoodTalk(asked)
    const parts: string[] = asked.data.answer.split('\n\n')
    const quotes = parts.filter((part) => part.startsWith('> '))
    expectQuoted(quotes.map((quote) => quote.replace(/^> /gm, '')))
    expect(parts.filter((part) => !part.startsWith('> ')).flatMap(invented)).toEqual([])
  })

  const query = 'Who ordered lamps?'
  it.each([
    { type: 'highlights', query },
    { type: 'query', prompt: query, mode: 'directQuote' },
  ])('$type gives sentences of the page, word for word', async (format) => {
    const asked = await scene.ask(format)
    expectGoodTalk(asked)
    const found: string = asked.data.highlights
    // Whole sentences, with their marks and capitals.
    const known = [`Price: ${price}`, ...sentences]
    const rest = known.reduce((text, sentence) => text.replaceAll(sentence, ''), found)
    expect(found).not.toBe('')
    expect(rest.trim()).toBe('')
  })
})

/** A value of a model counts only with words of the page that state it. */
function expectStated(value: unknown, evidence: Json): void {
  expect([evidence?.text, isOnPage(String(evidence?.text))]).toEqual([evidence?.text, true])
  expect(plain(String(evidence.text))).toContain(plain(String(value)))
}

/** The values of an answer with their paths, as evidence names them. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((entry, at) => leaves(entry, `${path}[${at}]`))
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[path, value]]
  return Object.entries(value).flatMap(([name, entry]) =>
    leaves(entry, path === '' ? name : `${path}.${name}`),
  )
}
