import { type Clause, isFilter, type Query, type Term } from './query.ts'

/** What is known of a result. */
export interface Found {
  url: string
  title?: string
  /** The whole text of the page; a snippet cannot show that a word is missing. */
  text?: string
  /** What it is a file of, where that is known better than by its address: `html`, `pdf`. */
  type?: string
  imageWidth?: number
  imageHeight?: number
}

/** Whether a result holds to every clause that filters. A clause of which nothing is known does not exclude. */
export function accepts({ clauses }: Pick<Query, 'clauses'>, found: Found): boolean {
  return clauses.every((clause) => !isFilter(clause) || holds(clause, found))
}

function holds({ terms, isExcluded }: Clause, found: Found): boolean {
  const truths = terms.map((term) => isTrue(term, found))
  if (isExcluded) return !truths.includes(true)
  return truths.includes(true) || truths.includes(undefined)
}

/** Undefined where the result does not say. */
function isTrue(term: Term, found: Found): boolean | undefined {
  if (term.kind === 'size') return isOfSize(term, found)
  if (term.kind === 'operator') return isOf(term.name, term.value, found)
  const { title = '', text } = found
  if (contains(title, term.text)) return true
  return text === undefined ? undefined : contains(text, term.text)
}

function isOf(name: (Term & { kind: 'operator' })['name'], value: string, found: Found): boolean | undefined {
  if (name === 'site') return isOnSite(found.url, value)
  if (name === 'filetype') return found.type === value || hasExtension(found.url, value)
  if (name === 'inurl') return found.url.toLowerCase().includes(value.toLowerCase())
  if (name === 'intitle') return found.title === undefined ? undefined : contains(found.title, value)
  return undefined
}

/** Whether an address is on a host, below it, or under its path: `example.com/docs`. */
export function isOnSite(address: string, site: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  const slash = site.indexOf('/')
  const host = slash < 0 ? site : site.slice(0, slash)
  if (url.hostname !== host && !url.hostname.endsWith(`.${host}`)) return false
  if (slash < 0) return true
  const path = site.slice(slash)
  return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

/** Whether the path of an address ends in a file of this type. */
function hasExtension(address: string, extension: string): boolean {
  return URL.parse(address)?.pathname.toLowerCase().endsWith(`.${extension}`) ?? false
}

function isOfSize(term: Term & { kind: 'size' }, { imageWidth, imageHeight }: Found): boolean {
  // As with dates: what does not say is not known to hold.
  if (imageWidth === undefined || imageHeight === undefined) return false
  if (term.name === 'imagesize') return imageWidth === term.width && imageHeight === term.height
  return (
    imageWidth >= term.width &&
    imageHeight >= term.height &&
    imageWidth * imageHeight > term.width * term.height
  )
}

const besideWords = /[\p{L}\p{N}]/u

/** Whether a text has these words, whole and in this order, however they are spaced and written large or small. */
export function contains(text: string, words: string): boolean {
  const [inside, wanted] = [normal(text), normal(words)]
  if (wanted === '') return true
  for (let at = inside.indexOf(wanted); at >= 0; at = inside.indexOf(wanted, at + 1)) {
    const [before, after] = [inside[at - 1] ?? ' ', inside[at + wanted.length] ?? ' ']
    if (isUnspaced(wanted) || !(besideWords.test(before) || besideWords.test(after))) return true
  }
  return false
}

function normal(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim()
}

/** Scripts without spaces between words, where a word may stand inside a run of letters. */
function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    text,
  )
}
