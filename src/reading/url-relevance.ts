/** What is known of a page before it is read. */
export interface KnownPage {
  url: string
  title?: string | undefined
  description?: string | undefined
  /** What links to it say. */
  anchor?: string | undefined
}

type Field = 'url' | 'title' | 'anchor' | 'description'

/** How much a word counts where it stands, and how much a long field weakens it. */
const fields: Record<Field, { weight: number; lengthPart: number }> = {
  title: { weight: 3, lengthPart: 0.5 },
  anchor: { weight: 2.5, lengthPart: 0.5 },
  url: { weight: 2, lengthPart: 0.4 },
  description: { weight: 1, lengthPart: 0.75 },
}
const fieldNames = Object.keys(fields) as Field[]
const saturation = 1.2

/**
 * Pages by their relevance to a query, best first, by BM25F over address, title, anchor texts and description. Pages
 * without any word of the query keep their order, after the others. Others get a turn between some pages and the next.
 */
export async function byRelevance<Page extends KnownPage>(
  pages: readonly Page[],
  query: string,
  giveWay: () => Promise<void>,
): Promise<Page[]> {
  const wanted = [...new Set(words(query))]
  if (wanted.length === 0) return [...pages]
  const counted: Counted[] = []
  for (const [index, page] of pages.entries()) {
    counted.push(countWords(page, wanted))
    if (index % atOnce === atOnce - 1) await giveWay()
  }
  const averages = averageLengths(counted)
  const rarity: number[] = []
  for (const index of wanted.keys()) {
    rarity.push(inverseFrequency(counted, index))
    await giveWay()
  }
  const scored = pages.map((page, place) => ({ page, place, score: score(counted[place], averages, rarity) }))
  scored.sort((left, right) => right.score - left.score || left.place - right.place)
  return scored.map(({ page }) => page)
}

const atOnce = 200

interface Counted {
  lengths: Record<Field, number>
  /** How often each wanted word stands in each field. */
  counts: Record<Field, number[]>
}

function countWords(page: KnownPage, wanted: string[]): Counted {
  const texts: Record<Field, string> = {
    url: wordsOfUrl(page.url),
    title: page.title ?? '',
    anchor: page.anchor ?? '',
    description: page.description ?? '',
  }
  const empty = () => ({ url: 0, title: 0, anchor: 0, description: 0 })
  const counted: Counted = { lengths: empty(), counts: { url: [], title: [], anchor: [], description: [] } }
  for (const field of fieldNames) {
    const found = texts[field] === '' ? [] : words(texts[field])
    counted.lengths[field] = found.length
    counted.counts[field] = wanted.map((word) => found.filter((other) => isSame(word, other)).length)
  }
  return counted
}

/** An address written in one word, such as "pricingplans", holds its words inside. */
function isSame(word: string, other: string): boolean {
  return word === other || (word.length >= 5 && other.length > word.length && other.includes(word))
}

function averageLengths(counted: Counted[]): Record<Field, number> {
  const averages = { url: 1, title: 1, anchor: 1, description: 1 }
  for (const field of fieldNames) {
    const lengths = counted.map((page) => page.lengths[field]).filter((length) => length > 0)
    if (lengths.length > 0)
      averages[field] = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  }
  return averages
}

function inverseFrequency(counted: Counted[], word: number): number {
  const having = counted.filter((page) =>
    fieldNames.some((field) => (page.counts[field][word] ?? 0) > 0),
  ).length
  return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5))
}

function score(page: Counted | undefined, averages: Record<Field, number>, rarity: number[]): number {
  if (!page) return 0
  let sum = 0
  for (const [word, rare] of rarity.entries()) {
    let frequency = 0
    for (const field of fieldNames) {
      const { weight, lengthPart } = fields[field]
      const relative = 1 - lengthPart + lengthPart * (page.lengths[field] / averages[field])
      frequency += (weight * (page.counts[field][word] ?? 0)) / relative
    }
    sum += (rare * frequency) / (saturation + frequency)
  }
  return sum
}

/** Path, query and the host's own name; endings such as .html say nothing. */
function wordsOfUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  return decoded(
    `${url.hostname.replace(/^www\./, '')} ${url.pathname.replace(/\.\w{2,5}$/, '')} ${url.search} ${url.hash}`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Words in small letters; plurals and singulars are one word. */
function words(text: string): string[] {
  const apart = text.slice(0, 5000).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const found = apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return found.map((word) =>
    word.length > 3 ? word.replace(/(?:ies|y)$/, 'i').replace(/(?<!s)s$/, '') : word,
  )
}
