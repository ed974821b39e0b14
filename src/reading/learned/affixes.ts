import type { Found } from '../fields/found.ts'
import type { Slot } from '../fields/slots.ts'
import { hashText } from './hash.ts'

/** What the titles of pages alike have in common at their beginning and end: the hashes of words, the same for all numbers. */
export interface Affixes {
  before: number[]
  after: number[]
  /** Pages that they were taken from. */
  pages: number[]
}

/** What is the same on at least this many pages belongs to the template. */
const leastPages = 3
export const mostTitles = 8
const mostTokens = 40

/** The title of a page as its head states it, without an element that shows it. */
export function headTitle({ spec, names }: Slot, found: Found | undefined): string | undefined {
  const isOfHead = found?.node === undefined && (found?.reader === 'title' || found?.reader === 'open-graph')
  return isOfHead && names.concept === 'title' && spec.kind === 'text' ? found.text : undefined
}

export function withTitle(known: Affixes | undefined, title: string, page: number): Affixes {
  const own = tokensOf(title).map(hashOf)
  const [before, after] = [own.slice(0, mostTokens), own.slice(-mostTokens)]
  if (!known) return { before, after, pages: [page] }
  if (known.pages.includes(page) || known.pages.length >= mostTitles) return known
  const ends = common(known.after.toReversed(), after.toReversed())
  return { before: common(known.before, before), after: ends.reverse(), pages: [...known.pages, page] }
}

/** The title without what all pages have there, up to a separator; undefined where that is nothing. */
export function withoutAffixes(title: string, { before, after, pages }: Affixes): string | undefined {
  if (pages.length < leastPages) return undefined
  const own = tokensOf(title)
  const hashes = own.map(hashOf)
  const begins = common(hashes, before).length
  const ends = common(hashes.toReversed(), after.toReversed()).length
  const start = own.slice(0, begins).findLastIndex(isSeparator) + 1
  const last = own.slice(own.length - ends).findIndex(isSeparator)
  const end = last < 0 ? own.length : own.length - ends + last
  const rest = own.slice(start, end).join('').trim()
  return start < end && rest !== '' && rest !== title.trim() ? rest : undefined
}

/** A separator with the spaces around it, so that a hyphen in a word is none. */
const tokensOf = (text: string): string[] =>
  text.slice(0, 300).match(/\s*[:|–—·•»›]\s*|\s+-\s+|\p{L}+|\d+|\s+|[^\p{L}\d\s]/gu) ?? []

const hashOf = (word: string) => hashText(/^\d/.test(word) ? '0' : word)

const isSeparator = (word: string) => /^\s*[:|–—·•»›]\s*$|^\s+-\s+$/.test(word)

function common(one: readonly number[], other: readonly number[]): number[] {
  const end = one.findIndex((word, at) => word !== other[at])
  return one.slice(0, end < 0 ? one.length : end)
}
