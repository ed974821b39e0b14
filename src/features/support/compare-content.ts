type PageContent = ReturnType<typeof contentOf>

export const noContent: PageContent = { words: 0, phrases: 0, topics: 0, links: 0, text: '' }

const pressedPrefix =
  /(?:click|press|tap|tab|button|link|open|expand|unfold)\w{0,3}(?:\s+(?:on|the|a|tab|button|link|called|named|labell?ed|that says)){0,4}\s*$/i
const maxPrefixLength = 60

export function labelsOf(words: string): string[] {
  return quotesOf(words)
    .filter(({ at }) => pressedPrefix.test(words.slice(Math.max(0, at - maxPrefixLength), at)))
    .map(({ phrase }) => phrase)
    .slice(0, 2)
}

export function phrasesOf(words: string): string[] {
  const labels = labelsOf(words)
  const phrases = quotesOf(words).map(({ phrase }) => phrase)
  // Option names, codes and URLs are not page text. The label of a button is not the content that the button reveals.
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

const stopWords = new Set(
  'about above after again also always another answer because been before being below between both bottom bring brings cannot content could does every field fields find first from have here into just like long made make many missing more most must never nothing only other page pages part returned result results scrape scraped scraping section shall should show shows some still such text than that their them then there these they thing this those through title today under until very want wants were what when where which while whole with without wrong your markdown crawl crawled'.split(
    ' ',
  ),
)

function topicsOf(words: string): string[] {
  const plain = words.toLowerCase().replace(/https?:\/\/\S+/g, ' ')
  const found = plain.match(/\p{L}{4,}/gu) ?? []
  return [...new Set(found.filter((word) => !stopWords.has(word)))].slice(0, 40)
}

const maxComparedLength = 400_000
const urlEnd = /[)\s]/g

/** A manual scan is linear even if a page opens 100,000 links and closes none; a regular expression is not. */
function removeLinkUrls(markdown: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = markdown.indexOf(']('); at !== -1; ) {
    urlEnd.lastIndex = at + 2
    const end = urlEnd.exec(markdown)?.index ?? markdown.length
    if (markdown[end] === ')') {
      parts.push(markdown.slice(from, at + 1))
      from = end + 1
    }
    at = markdown.indexOf('](', end)
  }
  return parts.join('') + markdown.slice(from)
}

export function contentOf(markdown: string, { phrases, topics }: ReturnType<typeof expectedContent>) {
  const text = removeLinkUrls(markdown.slice(0, maxComparedLength))
  const lower = text.toLowerCase()
  const contains = (word: string) => lower.includes(word.toLowerCase())
  return {
    words: text.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0,
    phrases: phrases.filter(contains).length,
    topics: topics.filter(contains).length,
    links: markdown.slice(0, maxComparedLength).split('](').length - 1,
    text,
  }
}

export function expectedContent(words: string, before: string) {
  const lower = before.toLowerCase()
  const isNew = (word: string) => !lower.includes(word.toLowerCase())
  return { phrases: phrasesOf(words).filter(isNew), topics: topicsOf(words).filter(isNew) }
}

const minWords = 10
/** Minimum additional words. Two fetches of the same page can differ by fewer, for example because of a counter. */
const minNewWords = 4

/** A fix that only includes more page parts must add much more content, or the expected phrases. */
export function isBetter(
  now: PageContent,
  before: PageContent,
  {
    widens,
    seeksLinks,
    failedBefore,
  }: {
    widens: boolean
    /** True if more links are better, because the crawl did not get beyond its start page. */
    seeksLinks?: boolean
    failedBefore?: boolean
  },
): boolean {
  if (now.phrases !== before.phrases) return now.phrases > before.phrases
  if (seeksLinks && now.links > before.links) return true
  if (before.words === 0) return now.words >= (failedBefore ? minNewWords : minWords)
  const newWords = now.words - before.words
  if (now.topics > before.topics && newWords >= minNewWords) return true
  return widens
    ? newWords >= before.words / 2 + minWords
    : newWords >= Math.max(minNewWords, before.words * 0.008)
}
