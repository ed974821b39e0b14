import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../api.ts'
import {
  type ModelOutcome,
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

/** Returns text without case, punctuation and repeated white space. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const isOnPage = (text: string) => plain(pageText).includes(plain(text))
const ajv = new Ajv({ strict: false })

/**
 * Checks rules for every call, whatever the quality of the model: valid requests, constrained responses, and metered
 * tokens.
 */
function expectValidExchanges({ exchanges, used }: ModelOutcome): void {
  expect(exchanges.length).toBeGreaterThan(0)
  for (const { path, status, request, answer } of exchanges) {
    expect([path, status]).toEqual(['/v1/chat/completions', 200])
    const { strict, schema: requestedSchema } = request.response_format.json_schema
    expect(strict).toBe(true)
    const [{ finish_reason, message }] = answer.choices
    // The server constrains the completion to the schema. Only reaching the token limit can violate it.
    if (finish_reason === 'stop')
      expect(ajv.validate(requestedSchema, JSON.parse(message.content))).toBe(true)
    else expect(finish_reason).toBe('length')
  }
  const tokens = exchanges.reduce((sum, { answer }) => sum + answer.usage.total_tokens, 0)
  expect(used).toEqual({ tokens, calls: exchanges.length })
}

/** Returns names and numbers that are not on the page. */
const findInvented = (text: string) =>
  [...text.matchAll(/\p{Lu}\p{L}+|\d[\d.,]*\d|\d/gu)].map(([word]) => word).filter((word) => !isOnPage(word))

/** Returns true if the format contains text of the model. Otherwise the warning explains why not. */
const isByModel = ({ warning = '' }: Json) => !/extractive/.test(warning)

function expectQuoted(passages: string[]): void {
  expect(passages.length).toBeGreaterThan(0)
  for (const passage of passages) expect([passage, isOnPage(passage)]).toEqual([passage, true])
}

describe('with a local language model', () => {
  it('the service reports that the model supports schemas', () => {
    expect(scene.capability).toMatchObject({
      ...{ available: true, note: expect.stringContaining('holds its answers to a schema') },
    })
  })

  it('json has the values that rules read, and otherwise only values that the page states', async () => {
    const outcome = await scene.ask({ type: 'json', schema })
    expectValidExchanges(outcome)
    const { json, jsonEvidence, warning = '' } = outcome.data
    expect(json).toMatchObject({ title, price: 1299 })
    expect(ajv.validate(schema, json)).toBe(true)
    expect(jsonEvidence.price).toMatchObject({ text: price, reader: 'label' })
    for (const name of Object.keys(schema.properties).filter((other) => !readByRules.includes(other))) {
      if (!(name in json)) expect(warning).toContain(name)
      else expectStated(json[name], jsonEvidence[name])
    }
  })

  it('json with a prompt has only values that the page states', async () => {
    const outcome = await scene.ask({ type: 'json', prompt: 'the city in which the lamp was first shown' })
    expectValidExchanges(outcome)
    const { json, jsonEvidence = {}, warning = '' } = outcome.data
    if (json === undefined) expect(warning).toMatch(/^json: /)
    for (const [path, value] of leaves(json)) expectStated(value, jsonEvidence[path])
  })

  it('summary has no name and no number that is not on the page', async () => {
    const outcome = await scene.ask('summary')
    expectValidExchanges(outcome)
    const { summary } = outcome.data
    expect(summary).not.toBe('')
    expect(findInvented(summary)).toEqual([])
    if (!isByModel(outcome.data)) expectQuoted([summary])
  })

  const question = 'Where was the lamp shown for the first time?'
  it.each([
    { type: 'question', question },
    { type: 'query', prompt: question },
  ])('$type answers with quotes from the page', async (format) => {
    const outcome = await scene.ask(format)
    expectValidExchanges(outcome)
    const parts: string[] = outcome.data.answer.split('\n\n')
    const quotes = parts.filter((part) => part.startsWith('> '))
    expectQuoted(quotes.map((quote) => quote.replace(/^> /gm, '')))
    expect(parts.filter((part) => !part.startsWith('> ')).flatMap(findInvented)).toEqual([])
  })

  const query = 'Who ordered lamps?'
  it.each([
    { type: 'highlights', query },
    { type: 'query', prompt: query, mode: 'directQuote' },
  ])('$type returns sentences of the page verbatim', async (format) => {
    const outcome = await scene.ask(format)
    expectValidExchanges(outcome)
    const highlights: string = outcome.data.highlights
    // Complete sentences, with their punctuation and capitals.
    const pageSentences = [`Price: ${price}`, ...sentences]
    const unknownText = pageSentences.reduce((text, sentence) => text.replaceAll(sentence, ''), highlights)
    expect(highlights).not.toBe('')
    expect(unknownText.trim()).toBe('')
  })
})

/** Expects that the evidence of a value is on the page and contains the value. */
function expectStated(value: unknown, evidence: Json): void {
  expect([evidence?.text, isOnPage(String(evidence?.text))]).toEqual([evidence?.text, true])
  expect(plain(String(evidence.text))).toContain(plain(String(value)))
}

/** Returns the leaf values of a response with their paths, as the evidence names them. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => leaves(entry, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[path, value]]
  return Object.entries(value).flatMap(([name, entry]) =>
    leaves(entry, path === '' ? name : `${path}.${name}`),
  )
}
