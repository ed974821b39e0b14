import { type Clause, isFilter, type Query, type Term } from './query.ts'

export interface SearchableText {
  url: string
  title?: string
  /** Complete text of the page, because a snippet cannot prove that a word is missing. */
  text?: string
  /** File type, if a better source than the URL is available: `html`, `pdf`. */
  type?: string
  imageWidth?: number | undefined
  imageHeight?: number | undefined
}

/** A clause on unknown fields excludes nothing. */
export function accepts({ clauses }: Pick<Query, 'clauses'>, result: SearchableText): boolean {
  return clauses.every((clause) => !isFilter(clause) || matchesClause(clause, result))
}

function matchesClause({ terms, isExcluded }: Clause, result: SearchableText): boolean {
  const matches = terms.map((term) => matchesTerm(term, result))
  if (isExcluded) return !matches.includes(true)
  return matches.includes(true) || matches.includes(undefined)
}

function matchesTerm(term: Term, result: SearchableText): boolean | undefined {
  if (term.kind === 'size') return matchesSize(term, result)
  if (term.kind === 'operator') return matchesOperator(term.name, term.value, result)
  const { title = '', text } = result
  if (contains(title, term.text)) return true
  return text === undefined ? undefined : contains(text, term.text)
}

function matchesOperator(
  name: (Term & { kind: 'operator' })['name'],
  value: string,
  result: SearchableText,
): boolean | undefined {
  if (name === 'site') return isOnSite(result.url, value)
  if (name === 'filetype')
    return result.type === value || !!URL.parse(result.url)?.pathname.toLowerCase().endsWith(`.${value}`)
  if (name === 'inurl') return result.url.toLowerCase().includes(value.toLowerCase())
  if (name === 'intitle') return result.title === undefined ? undefined : contains(result.title, value)
  return undefined
}

/** True if a URL is on a host, on its subdomain, or under its path: `example.com/docs`. */
export function isOnSite(urlText: string, site: string): boolean {
  const url = URL.parse(urlText)
  if (!url) return false
  const slash = site.indexOf('/')
  const host = slash < 0 ? site : site.slice(0, slash)
  if (url.hostname !== host && !url.hostname.endsWith(`.${host}`)) return false
  if (slash < 0) return true
  const path = site.slice(slash)
  return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function matchesSize(term: Term & { kind: 'size' }, { imageWidth, imageHeight }: SearchableText): boolean {
  // An image of unknown size does not match, as with dates.
  if (imageWidth === undefined || imageHeight === undefined) return false
  if (term.name === 'imagesize') return imageWidth === term.width && imageHeight === term.height
  return (
    imageWidth >= term.width &&
    imageHeight >= term.height &&
    imageWidth * imageHeight > term.width * term.height
  )
}

const wordCharacter = /[\p{L}\p{N}]/u
/** In a script without spaces, a word may be inside a run of letters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** True if a text contains these complete words in this order. */
export function contains(text: string, words: string): boolean {
  const [normalText, normalWords] = [normalize(text), normalize(words)]
  if (normalWords === '') return true
  let offset = normalText.indexOf(normalWords)
  for (; offset >= 0; offset = normalText.indexOf(normalWords, offset + 1)) {
    const [before, after] = [normalText[offset - 1] ?? ' ', normalText[offset + normalWords.length] ?? ' ']
    if (unspaced.test(normalWords) || !(wordCharacter.test(before) || wordCharacter.test(after))) return true
  }
  return false
}

function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim()
}
