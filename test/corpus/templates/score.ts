import { readdirSync, readFileSync } from 'node:fs'

/** Content of a page of the corpus, and text that only surrounds it. */
export interface Truth {
  url: string
  kind: 'product' | 'collection' | 'thread' | 'board' | 'listing'
  /** Title as the page shows it; null if it shows none. */
  title: string | null
  /** Records in the order of the page. */
  records: RecordTruth[]
  texts: string[]
  absent: string[]
}

/** Related values: a card, a post or a row. Recommended products may be omitted, but only all of them. */
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

/** Names of the counts. `noise` counts text that should not be present. */
export const counted = ['names', 'prices', 'posts', 'rows', 'texts', 'noise'] as const
export type Counted = (typeof counted)[number]

export interface Count {
  found: number
  all: number
  /** Missing text; for noise, text that is present. */
  wrong: string[]
}
export type Counts = Record<Counted, Count>

/** Minimum share that must be found, and maximum share of noise. */
export const least = { names: 0.97, prices: 0.92, posts: 0.92, rows: 0.95, texts: 0.98 } as const
export const maxNoise = 0.02

const pages = new URL('pages/', import.meta.url)

export function readCorpus(): CorpusPage[] {
  return readdirSync(pages)
    .toSorted()
    .flatMap((template) => {
      const folder = new URL(`${template}/`, pages)
      // The builder wrote this file.
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
  const pageText = plain(markdown)
  const counts = noCounts()
  if (truth.title) count(counts.names, pageText.includes(plain(truth.title)), truth.title)
  for (const { record, part } of partsOf(pageText, expected(pageText, truth.records))) {
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
  for (const text of truth.texts) count(counts.texts, pageText.includes(plain(text)), text.slice(0, 60))
  for (const text of truth.absent) {
    const isPresent = pageText.includes(plain(text))
    counts.noise.all += 1
    if (!isPresent) continue
    counts.noise.found += 1
    counts.noise.wrong.push(text.slice(0, 60))
  }
  return counts
}

function expected(pageText: string, records: RecordTruth[]): RecordTruth[] {
  const isAnyPresent = records.some(
    ({ kind, name, price }) =>
      kind === 'related' && [name, price].some((text) => pageText.includes(plain(text ?? ''))),
  )
  return isAnyPresent ? records : records.filter(({ kind }) => kind !== 'related')
}

export function noCounts(): Counts {
  const none = (): Count => ({ found: 0, all: 0, wrong: [] })
  return { names: none(), prices: none(), posts: none(), rows: none(), texts: none(), noise: none() }
}

export function addCounts(sum: Counts, part: Counts): void {
  for (const kind of counted) {
    sum[kind].found += part[kind].found
    sum[kind].all += part[kind].all
    sum[kind].wrong.push(...part[kind].wrong)
  }
}

function count(counter: Count, isFound: boolean, label: string): void {
  counter.all += 1
  if (isFound) counter.found += 1
  else counter.wrong.push(label)
}

/**
 * Returns the text that may belong to each record: from the end of the previous record to the start of the next one.
 * The main product of a page is spread over the page.
 */
function partsOf(pageText: string, all: RecordTruth[]): { record: RecordTruth; part: string }[] {
  const records = all.filter(({ kind }) => kind !== 'product')
  const subjects = all.filter(({ kind }) => kind === 'product')
  const ranges: { from: number; to: number }[] = []
  let from = 0
  for (const record of records) {
    const anchor = plain(record.name ?? longestText(record.texts))
    const position = pageText.indexOf(anchor, from)
    ranges.push({ from: position, to: position + anchor.length })
    if (position !== -1) from = position + anchor.length
  }
  const parts = records.map((record, index) => {
    if (ranges[index]?.from === -1) return { record, part: '' }
    const before = ranges.slice(0, index).findLast((other) => other.from !== -1)
    const after = ranges.slice(index + 1).find((other) => other.from !== -1)
    return { record, part: pageText.slice(before?.to ?? 0, after?.from) }
  })
  return [...subjects.map((record) => ({ record, part: pageText })), ...parts]
}

const longestText = (texts: string[]) =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '')

/** Returns text without the formatting characters of Markdown. */
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
