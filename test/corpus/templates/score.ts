import { readdirSync, readFileSync } from 'node:fs'

/** What a page of the corpus holds and what only stands around it. */
export interface Truth {
  url: string
  kind: 'product' | 'collection' | 'thread' | 'board' | 'listing'
  /** As the page shows it, or `null` where it shows none. */
  title: string | null
  /** In the order of the page. */
  records: RecordTruth[]
  texts: string[]
  absent: string[]
}

/** A card, a post, a row: what belongs together. Products that a page recommends may be left out, all of them. */
export interface RecordTruth {
  kind: 'product' | 'card' | 'related' | 'post' | 'review' | 'row' | 'question'
  name?: string
  price?: string
  author?: string
  date?: string
  texts: string[]
}

export interface CorpusPage {
  template: string
  name: string
  html: string
  truth: Truth
}

/** What is counted; `noise` counts what should not be there. */
export const counted = ['names', 'prices', 'posts', 'rows', 'texts', 'noise'] as const
export type Counted = (typeof counted)[number]

export interface Count {
  found: number
  all: number
  /** What is missing, or of noise what is there. */
  wrong: string[]
}
export type Counts = Record<Counted, Count>

/** The least share that has to be found, and the greatest share of noise. */
export const least = { names: 0.97, prices: 0.92, posts: 0.92, rows: 0.95, texts: 0.98 } as const
export const mostNoise = 0.02

const pages = new URL('pages/', import.meta.url)

export function readCorpus(): CorpusPage[] {
  return readdirSync(pages)
    .toSorted()
    .flatMap((template) => {
      const folder = new URL(`${template}/`, pages)
      // The builder wrote it.
      const truths = JSON.parse(readFileSync(new URL('truth.json', folder), 'utf8')) as Record<string, Truth>
      return Object.entries(truths).map(([name, truth]) => ({
        template,
        name,
        html: readFileSync(new URL(`${name}.html`, folder), 'utf8'),
        truth,
      }))
    })
}

export function scorePage(markdown: string, truth: Truth): Counts {
  const said = plain(markdown)
  const counts = noCounts()
  if (truth.title) count(counts.names, said.includes(plain(truth.title)), truth.title)
  for (const { record, part } of partsOf(said, expected(said, truth.records))) {
    const holds = (text: string) => part.includes(plain(text))
    const isWhole = [record.name, record.price, record.author, record.date, ...record.texts].every(
      (text) => text === undefined || holds(text),
    )
    const label = record.name ?? `${record.author ?? ''}: ${record.texts[0]?.slice(0, 60)}`
    if (record.name) count(counts.names, holds(record.name), record.name)
    if (record.price) count(counts.prices, isWhole, `${label} ${record.price}`)
    if (record.author) count(counts.posts, isWhole, label)
    else if (!record.price) count(counts.rows, isWhole, label)
  }
  for (const text of truth.texts) count(counts.texts, said.includes(plain(text)), text.slice(0, 60))
  for (const text of truth.absent) {
    const isThere = said.includes(plain(text))
    counts.noise.all += 1
    if (!isThere) continue
    counts.noise.found += 1
    counts.noise.wrong.push(text.slice(0, 60))
  }
  return counts
}

function expected(said: string, records: RecordTruth[]): RecordTruth[] {
  const isAnyThere = records.some(
    ({ kind, name, price }) =>
      kind === 'related' && [name, price].some((text) => said.includes(plain(text ?? ''))),
  )
  return isAnyThere ? records : records.filter(({ kind }) => kind !== 'related')
}

export function noCounts(): Counts {
  const none = (): Count => ({ found: 0, all: 0, wrong: [] })
  return { names: none(), prices: none(), posts: none(), rows: none(), texts: none(), noise: none() }
}

export function addCounts(sum: Counts, part: Counts): void {
  for (const what of counted) {
    sum[what].found += part[what].found
    sum[what].all += part[what].all
    sum[what].wrong.push(...part[what].wrong)
  }
}

function count(counter: Count, isFound: boolean, what: string): void {
  counter.all += 1
  if (isFound) counter.found += 1
  else counter.wrong.push(what)
}

/**
 * The text that may belong to each record: from behind the one before it to the one after it. The product that a page is
 * about is spread over the page.
 */
function partsOf(said: string, all: RecordTruth[]): { record: RecordTruth; part: string }[] {
  const records = all.filter(({ kind }) => kind !== 'product')
  const subjects = all.filter(({ kind }) => kind === 'product')
  const places: { from: number; to: number }[] = []
  let from = 0
  for (const record of records) {
    const anchor = plain(record.name ?? longest(record.texts))
    const at = said.indexOf(anchor, from)
    places.push({ from: at, to: at + anchor.length })
    if (at !== -1) from = at + anchor.length
  }
  const parts = records.map((record, place) => {
    if (places[place]?.from === -1) return { record, part: '' }
    const before = places.slice(0, place).findLast((other) => other.from !== -1)
    const after = places.slice(place + 1).find((other) => other.from !== -1)
    return { record, part: said.slice(before?.to ?? 0, after?.from) }
  })
  return [...subjects.map((record) => ({ record, part: said })), ...parts]
}

const longest = (texts: string[]) =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '')

/** Text without the signs of Markdown. */
function plain(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[((?:[^[\]\\]|\\.)*)\]\([^)]*\)/g, '$1')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/[*`|>#]/g, ' ')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}
