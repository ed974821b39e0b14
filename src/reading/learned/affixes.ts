import type { Found } from '../fields/found.ts'
import type { Slot } from '../fields/slots.ts'

/** What the titles of pages alike have in common at their beginning and end, in tokens; numbers are written `0`. */
export interface Affixes {
  before: string[]
  after: string[]
  /** Pages that they were taken from. */
  pages: number[]
}

/** What is the same on so many pages belongs to the template. */
const leastPages = 3
export const mostTitles = 8
const mostTokens = 40

/** The title of a page as its head states it, without an element that shows it. */
export function headTitle({ wish, names }: Slot, found: Found | undefined): string | undefined {
  const isOfHead = found?.node === undefined && (found?.reader === 'title' || found?.reader === 'open-graph')
  return isOfHead && names.concept === 'title' && wish.kind === 'text' ? found.text : undefined
}

export function withTitle(known: Affixes | undefined, title: string, page: number): Affixes {
  const own = tokensOf(title).map(shape)
  const [before, after] = [own.slice(0, mostTokens), own.slice(-mostTokens)]
  if (!known) return { before, after, pages: [page] }
  if (known.pages.includes(page) || known.pages.length >= mostTitles) return known
  const ends = common(known.after.toReversed(), after.toReversed())
  return {
    before: common(known.before, before),
    after: ends.reverse(),
    pages: [...known.pages, page],
  }
}

/** The title without what all pages have there, up to a separator; undefined where that is nothing. */
export function withoutAffixes(title: string, { before, after, pages }: Affixes): string | undefined {
  if (pages.length < leastPages) return undefined
  const own = tokensOf(title)
  const start = before.findLastIndex(isSeparator) + 1
  const first = after.findIndex(isSeparator)
  const end = first < 0 ? own.length : own.length - (after.length - first)
  const isAsKnown = own.slice(0, start).every((token, at) => shape(token) === before[at])
  const ends = own.slice(end)
  if (!isAsKnown || !ends.every((token, at) => shape(token) === after[first + at])) return undefined
  const rest = own.slice(start, end).join('').trim()
  return start < end && rest !== '' && rest !== title.trim() ? rest : undefined
}

/** With the spaces around it, so that a hyphen in a word is none. */
const tokensOf = (text: string) =>
  text.slice(0, 300).match(/\s*[:|–—·•»›]\s*|\s+-\s+|\p{L}+|\d+|\s+|[^\p{L}\d\s]/gu) ?? []

const shape = (token: string) => (/^\d/.test(token) ? '0' : token)

const isSeparator = (token: string) => /^\s*[:|–—·•»›]\s*$|^\s+-\s+$/.test(token)

function common(one: readonly string[], other: readonly string[]): string[] {
  const end = one.findIndex((token, at) => token !== other[at])
  return one.slice(0, end < 0 ? one.length : end)
}
