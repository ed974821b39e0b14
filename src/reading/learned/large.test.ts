import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { readJson } from '../read-json.ts'
import { learn } from './learn.ts'
import { emptyMemory, mostCandidates } from './memory.ts'

const names = Array.from({ length: 60 }, (_, at) => `field${String.fromCodePoint(97 + (at % 26))}${at}x`)
const properties = Object.fromEntries(
  names.map((name, at) => [name, { type: at % 2 === 0 ? 'string' : 'integer' }]),
)
const values = Object.fromEntries(names.map((name, at) => [name, at % 2 === 0 ? `value ${at % 5}` : at % 5]))
const url = 'https://large.example/'

/** Each would take minutes if time grew with the square of its size. */
const contents: [string, string][] = [
  ['the same value in 40,000 elements', '<i>3</i>'.repeat(40_000)],
  ['40,000 rows with other numbers', '<p class="r">row <b>3</b> of <i>4</i></p>'.repeat(20_000)],
  ['one element in another', '<div class="d">value 2 '.repeat(5000)],
  ['long texts', `<p>${'value 2, '.repeat(60_000)}</p>`],
  ['many attributes', `<p ${Array.from({ length: 20_000 }, (_, at) => `data-a${at}="3"`).join(' ')}>x</p>`],
]

describe('places of a large page', { timeout: 120_000 }, () => {
  it.each(contents)('are few: %s', (_, content) => {
    const tree = parseHtml(`<!doctype html><title>x</title><main>${content}</main>`)
    const context = { url, base: url, language: 'en', title: 'x' }
    const order = { memory: undefined, taught: { values, absent: [] } }
    const { observation } = readJson(tree, { type: 'object', properties }, context, order)
    expect(observation).toBeDefined()
    if (!observation) return
    const [template] = learn(emptyMemory(), observation).templates
    for (const { places } of Object.values(template?.fields ?? {}))
      expect(places.length).toBeLessThanOrEqual(mostCandidates)
  })
})
