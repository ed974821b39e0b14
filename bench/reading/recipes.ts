import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { table } from '../content/table.ts'
import { atLeast, type Figure } from '../figure.ts'
import { inTurn, type ReadingBench } from './bench.ts'
import { addressKey, isFilled, tokenF1 } from './compare.ts'

interface Recipe {
  domain: string
  html: string
  expected: Record<string, unknown>
}

interface Field {
  asked: object
  /** Name of the value in the expected ones. */
  from: string
  isRight?(want: string, got: string): boolean
}

const text = (description: string) => ({ type: 'string', description })
const number = (description: string) => ({ type: 'number', description })
const integer = (description: string) => ({ type: 'integer', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const firstNumber = (value: string) => /\d+/.exec(value)?.[0] ?? ''
const sameStart = (want: string, got: string) =>
  want.slice(0, 2).toLowerCase() === got.slice(0, 2).toLowerCase()
const sameAddress = (want: string, got: string) =>
  addressKey(want, 'http://x') === addressKey(got, 'http://x')

/** As the folder with the pages scores them, so that both can be compared. */
const fields: Record<string, Field> = {
  title: { asked: text('Name of the dish'), from: 'title' },
  author: { asked: text('Who wrote the recipe'), from: 'author' },
  description: { asked: text('Short description of the dish'), from: 'description' },
  image: { asked: text('URL of the main picture'), from: 'image', isRight: sameAddress },
  ingredients: { asked: texts('Ingredients, one per entry'), from: 'ingredients' },
  instructions: { asked: texts('Preparation steps in order'), from: 'instructions_list' },
  totalTimeMinutes: { asked: integer('Total time in minutes'), from: 'total_time' },
  prepTimeMinutes: { asked: integer('Preparation time in minutes'), from: 'prep_time' },
  cookTimeMinutes: { asked: integer('Cooking time in minutes'), from: 'cook_time' },
  yields: {
    asked: text('Servings or yield'),
    from: 'yields',
    isRight: (want, got) => firstNumber(want) === firstNumber(got),
  },
  category: { asked: text('Course or category'), from: 'category' },
  cuisine: { asked: text('Cuisine'), from: 'cuisine' },
  rating: { asked: number('Average rating'), from: 'ratings' },
  language: { asked: text('Language of the page'), from: 'language', isRight: sameStart },
  canonicalUrl: { asked: text('Canonical URL'), from: 'canonical_url', isRight: sameAddress },
  siteName: { asked: text('Name of the site'), from: 'site_name' },
}

/** Real recipe pages, where there are some: recall of what is known of them, precision of what was filled of that. */
export async function measureRecipes(bench: ReadingBench, form: 'whole' | 'stripped'): Promise<Figure[]> {
  const { folder } = bench.options
  if (folder === undefined) {
    return [{ what: 'BENCH_READING names no folder of recipe pages', value: 'not measured' }]
  }
  const recipes = load(folder)
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { asked }]) => [name, asked]))
  const schema = { type: 'object', properties }
  const before = bench.processorMs()
  const answers = await inTurn(recipes, ({ domain, html }) => {
    const url = bench.serve(bench.newHost(), `/${domain}`, form === 'whole' ? html : stripped(html))
    return bench.scrape(url, [{ type: 'json', schema }], { storeInCache: false })
  })
  const milliseconds = (bench.processorMs() - before) / recipes.length
  const sums = Object.entries(fields).map(([name, field]) => {
    const sum = { name, wanted: 0, filled: 0, right: 0 }
    for (const [place, { expected }] of recipes.entries()) {
      const want = expected[field.from]
      if (!isFilled(want)) continue
      // The service answers an object by the schema, or none.
      const got = (answers[place]?.data.json as Record<string, unknown> | undefined)?.[name]
      sum.wanted += 1
      if (!isFilled(got)) continue
      sum.filled += 1
      if (isSame(name, field, want, got)) sum.right += 1
    }
    return sum
  })
  const title = form === 'whole' ? 'recipes' : 'recipes stripped'
  return printed(title, sums, milliseconds)
}

interface Sum {
  name: string
  wanted: number
  filled: number
  right: number
}

function printed(title: string, sums: Sum[], milliseconds: number): Figure[] {
  const all = { name: 'all', wanted: 0, filled: 0, right: 0 }
  for (const sum of sums) for (const what of ['wanted', 'filled', 'right'] as const) all[what] += sum[what]
  const recallOf = ({ right, wanted }: Sum) => right / Math.max(1, wanted)
  const precisionOf = ({ right, filled }: Sum) => right / Math.max(1, filled)
  const rows = [...sums, all].map((sum) => [
    ...[sum.name, String(sum.wanted), recallOf(sum).toFixed(3), precisionOf(sum).toFixed(3)],
  ])
  console.log(`\n${title}\n${table([['field', 'wanted', 'recall', 'precision'], ...rows])}`)
  console.log(
    `\n${title.toUpperCase()} recall ${recallOf(all).toFixed(4)} precision ${precisionOf(all).toFixed(4)} CPU ${milliseconds.toFixed(0)} ms/page`,
  )
  const [recall, precision] = title === 'recipes' ? [0.92, 0.95] : [0.65, 0.85]
  return [
    atLeast(`${title}: recall`, recallOf(all), recall, ''),
    atLeast(`${title}: precision`, precisionOf(all), precision, ''),
  ]
}

function load(folder: string): Recipe[] {
  const lines = gunzipSync(readFileSync(join(folder, 'recipes.dev.jsonl.gz'))).toString('utf8')
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function isSame(name: string, field: Field, want: unknown, got: unknown): boolean {
  if (Array.isArray(want))
    return tokenF1(want.join(' '), Array.isArray(got) ? got.join(' ') : String(got)) >= 0.85
  if (typeof want === 'number') return Math.abs(Number(got) - want) <= (name === 'rating' ? 0.11 : 0.5)
  return field.isRight ? field.isRight(String(want), String(got)) : tokenF1(String(want), String(got)) >= 0.75
}

const stripped = (html: string) =>
  html
    .replace(/<script[^>]*application\/ld\+json[^>]*>[\s\S]*?<\/script>/gi, '')
    .replace(/\s(itemprop|itemtype|itemscope|property|typeof|vocab)(="[^"]*"|='[^']*')?/gi, '')
