/** What a page brought, as far as its content can be compared. */
export interface PageContent {
  words: number
  /** How many of the phrases that the question quotes are in it. */
  phrases: number
  /** How many of the words that the question speaks of. */
  topics: number
  links: number
  text: string
}

export interface Wanted {
  phrases: readonly string[]
  topics: readonly string[]
}

/** A page that brought nothing. */
export const noContent: PageContent = { words: 0, phrases: 0, topics: 0, links: 0, text: '' }

/** What stands before the name of something that is pressed. */
const pressed =
  /(?:click|press|tap|tab|button|link|open|expand|unfold)\w{0,3}(?:\s+(?:on|the|a|tab|button|link|called|named|labell?ed|that says)){0,4}\s*$/i
const mostBefore = 60

/** Names of buttons and tabs that a question says have to be pressed, as it quotes them. */
export function labelsOf(words: string): string[] {
  return quotesOf(words)
    .filter(({ at }) => pressed.test(words.slice(Math.max(0, at - mostBefore), at)))
    .map(({ phrase }) => phrase)
    .slice(0, 2)
}

/** What the question puts in quotation marks: probably words that the page should have. */
export function phrasesOf(words: string): string[] {
  const labels = labelsOf(words)
  const phrases = quotesOf(words).map(({ phrase }) => phrase)
  // Options, codes and addresses are no words of a page, and a button is not what it leads to.
  return phrases
    .filter((phrase) => !labels.includes(phrase) && !/^[\w.[\]]+:|^https?:|^[A-Z_]{4,}$|[{}]/.test(phrase))
    .slice(0, 10)
}

function quotesOf(words: string): { phrase: string; at: number }[] {
  const quoted = words.matchAll(
    /"([^"\n]{3,120})"|“([^”\n]{3,120})”|`([^`\n]{3,120})`|'([^'\n]{3,120})'(?!\w)/g,
  )
  return [...quoted].map((match) => ({
    phrase: match.slice(1).find((part) => part !== undefined) ?? '',
    at: match.index,
  }))
}

/** Words of a question that say nothing about the content of a page. */
const ofQuestions = new Set(
  'about above after again also always another answer because been before being below between both bottom bring brings cannot content could does every field fields find first from have here into just like long made make many missing more most must never nothing only other page pages part returned result results scrape scraped scraping section shall should show shows some still such text than that their them then there these they thing this those through title today under until very want wants were what when where which while whole with without wrong your markdown crawl crawled'.split(
    ' ',
  ),
)

/** Words of a question that may be on the page it is about. */
function topicsOf(words: string): string[] {
  const plain = words.toLowerCase().replace(/https?:\/\/\S+/g, ' ')
  const found = plain.match(/\p{L}{4,}/gu) ?? []
  return [...new Set(found.filter((word) => !ofQuestions.has(word)))].slice(0, 40)
}

const maxRead = 400_000
const addressEnd = /[)\s]/g

/** Markdown without the addresses of its links. By hand: a page may begin a hundred thousand links and end none. */
function withoutAddresses(markdown: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = markdown.indexOf(']('); at !== -1; ) {
    addressEnd.lastIndex = at + 2
    const end = addressEnd.exec(markdown)?.index ?? markdown.length
    if (markdown[end] === ')') {
      parts.push(markdown.slice(from, at + 1))
      from = end + 1
    }
    at = markdown.indexOf('](', end)
  }
  return parts.join('') + markdown.slice(from)
}

export function contentOf(markdown: string, { phrases, topics }: Wanted): PageContent {
  const text = withoutAddresses(markdown.slice(0, maxRead))
  const lower = text.toLowerCase()
  const has = (word: string) => lower.includes(word.toLowerCase())
  return {
    words: text.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0,
    phrases: phrases.filter(has).length,
    topics: topics.filter(has).length,
    links: markdown.slice(0, maxRead).split('](').length - 1,
    text,
  }
}

/** What the question would like to see on the page, without what was there already. */
export function expectedContent(words: string, before: string): Wanted {
  const lower = before.toLowerCase()
  const isNew = (word: string) => !lower.includes(word.toLowerCase())
  return { phrases: phrasesOf(words).filter(isNew), topics: topicsOf(words).filter(isNew) }
}

/** From this many words on, a page that failed before counts as had. */
const fewestWords = 10
/** The same page twice differs by fewer, such as those of a counter. */
const fewNewWords = 4

export interface Comparison {
  widens: boolean
  /** More links are better: the crawl came no further than its start. */
  seeksLinks?: boolean
  /** There was no page before, so that any is better. */
  failedBefore?: boolean
}

/** Whether a page is better than the one before. What only widens the choice of parts has to bring more, or what was asked for. */
export function isBetter(
  now: PageContent,
  before: PageContent,
  { widens, seeksLinks = false, failedBefore = false }: Comparison,
): boolean {
  if (now.phrases !== before.phrases) return now.phrases > before.phrases
  if (seeksLinks && now.links > before.links) return true
  if (before.words === 0) return now.words >= (failedBefore ? fewNewWords : fewestWords)
  const more = now.words - before.words
  if (now.topics > before.topics && more >= fewNewWords) return true
  return widens ? more >= before.words / 2 + fewestWords : more >= Math.max(fewNewWords, before.words * 0.008)
}
