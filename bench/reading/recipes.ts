import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { table } from '../content/table.ts'
import { atLeast, type Figure } from '../figure.ts'
import { type ReadingBench, runConcurrently } from './bench.ts'
import { isFilled, tokenF1, toUrlKey } from './compare.ts'

interface Recipe {
  domain: string
  html: string
  expected: Record<string, unknown>
}

interface Field {
  /** Schema of the requested field. */
  schema: object
  /** Name of the field in the expected values. */
  expectedName: string
  matches?(expectedValue: string, actualValue: string): boolean
}

const text = (description: string) => ({ type: 'string', description })
const number = (description: string) => ({ type: 'number', description })
const integer = (description: string) => ({ type: 'integer', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const firstNumber = (value: string) => /\d+/.exec(value)?.[0] ?? ''
const hasSamePrefix = (expectedValue: string, actualValue: string) =>
  expectedValue.slice(0, 2).toLowerCase() === actualValue.slice(0, 2).toLowerCase()
const isSameUrl = (expectedValue: string, actualValue: string) =>
  toUrlKey(expectedValue, 'http://x') === toUrlKey(actualValue, 'http://x')

/** Fields with the comparison rules of the document folder, so that both scores can be compared. */
const fields: Record<string, Field> = {
  title: { schema: text('Name of the dish'), expectedName: 'title' },
  author: { schema: text('Who wrote the recipe'), expectedName: 'author' },
  description: { schema: text('Short description of the dish'), expectedName: 'description' },
  image: { schema: text('URL of the main picture'), expectedName: 'image', matches: isSameUrl },
  ingredients: { schema: texts('Ingredients, one per entry'), expectedName: 'ingredients' },
  instructions: { schema: texts('Preparation steps in order'), expectedName: 'instructions_list' },
  totalTimeMinutes: { schema: integer('Total time in minutes'), expectedName: 'total_time' },
  prepTimeMinutes: { schema: integer('Preparation time in minutes'), expectedName: 'prep_time' },
  cookTimeMinutes: { schema: integer('Cooking time in minutes'), expectedName: 'cook_time' },
  yields: {
    schema: text('Servings or yield'),
    expectedName: 'yields',
    matches: (expectedValue, actualValue) => firstNumber(expectedValue) === firstNumber(actualValue),
  },
  category: { schema: text('Course or category'), expectedName: 'category' },
  cuisine: { schema: text('Cuisine'), expectedName: 'cuisine' },
  rating: { schema: number('Average rating'), expectedName: 'ratings' },
  language: { schema: text('Language of the page'), expectedName: 'language', matches: hasSamePrefix },
  canonicalUrl: { schema: text('Canonical URL'), expectedName: 'canonical_url', matches: isSameUrl },
  siteName: { schema: text('Name of the site'), expectedName: 'site_name' },
}

/**
 * Measures real recipe pages, if available: recall of the known values, and precision of the filled values among them.
 */
export async function measureRecipes(bench: ReadingBench, form: 'whole' | 'stripped'): Promise<Figure[]> {
  const { folder } = bench.options
  if (folder === undefined) {
    return [{ name: 'BENCH_READING names no folder of recipe pages', value: 'not measured' }]
  }
  const recipes = loadRecipes(folder)
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
  const schema = { type: 'object', properties }
  const before = bench.processorMs()
  const responses = await runConcurrently(recipes, ({ domain, html }) => {
    const url = bench.serve(
      bench.newHost(),
      `/${domain}`,
      form === 'whole' ? html : stripStructuredData(html),
    )
    return bench.scrape(url, [{ type: 'json', schema }], { storeInCache: false })
  })
  const milliseconds = (bench.processorMs() - before) / recipes.length
  const sums = Object.entries(fields).map(([name, field]) => {
    const sum = { name, expectedCount: 0, filled: 0, right: 0 }
    for (const [index, { expected }] of recipes.entries()) {
      const expectedValue = expected[field.expectedName]
      if (!isFilled(expectedValue)) continue
      // The cast is safe: the service returns an object that follows the schema, or none.
      const actualValue = (responses[index]?.data.json as Record<string, unknown> | undefined)?.[name]
      sum.expectedCount += 1
      if (!isFilled(actualValue)) continue
      sum.filled += 1
      if (isSame(name, field, expectedValue, actualValue)) sum.right += 1
    }
    return sum
  })
  const title = form === 'whole' ? 'recipes' : 'recipes stripped'
  return printScores(title, sums, milliseconds)
}

interface Sum {
  name: string
  expectedCount: number
  filled: number
  right: number
}

function printScores(title: string, sums: Sum[], milliseconds: number): Figure[] {
  const total = { name: 'all', expectedCount: 0, filled: 0, right: 0 }
  for (const sum of sums)
    for (const key of ['expectedCount', 'filled', 'right'] as const) total[key] += sum[key]
  const getRecall = ({ right, expectedCount }: Sum) => right / Math.max(1, expectedCount)
  const getPrecision = ({ right, filled }: Sum) => right / Math.max(1, filled)
  const rows = [...sums, total].map((sum) => [
    ...[sum.name, String(sum.expectedCount), getRecall(sum).toFixed(3), getPrecision(sum).toFixed(3)],
  ])
  console.log(`\n${title}\n${table([['field', 'wanted', 'recall', 'precision'], ...rows])}`)
  console.log(
    `\n${title.toUpperCase()} recall ${getRecall(total).toFixed(4)} precision ${getPrecision(total).toFixed(4)} CPU ${milliseconds.toFixed(0)} ms/page`,
  )
  const [recall, precision] = title === 'recipes' ? [0.92, 0.95] : [0.65, 0.85]
  return [
    atLeast(`${title}: recall`, getRecall(total), recall, ''),
    atLeast(`${title}: precision`, getPrecision(total), precision, ''),
  ]
}

function loadRecipes(folder: string): Recipe[] {
  const lines = gunzipSync(readFileSync(join(folder, 'recipes.dev.jsonl.gz'))).toString('utf8')
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function isSame(name: string, field: Field, expectedValue: unknown, actualValue: unknown): boolean {
  if (Array.isArray(expectedValue))
    return (
      tokenF1(
        expectedValue.join(' '),
        Array.isArray(actualValue) ? actualValue.join(' ') : String(actualValue),
      ) >= 0.85
    )
  if (typeof expectedValue === 'number')
    return Math.abs(Number(actualValue) - expectedValue) <= (name === 'rating' ? 0.11 : 0.5)
  return field.matches
    ? field.matches(String(expectedValue), String(actualValue))
    : tokenF1(String(expectedValue), String(actualValue)) >= 0.75
}

const stripStructuredData = (html: string) =>
  html
    .replace(/<script[^>]*application\/ld\+json[^>]*>[\s\S]*?<\/script>/gi, '')
    .replace(/\s(itemprop|itemtype|itemscope|property|typeof|vocab)(="[^"]*"|='[^']*')?/gi, '')
