import type { Affixes } from './affixes.ts'

/** What a team has learned of the pages of one host for one schema. */
export interface LearnedMemory {
  version: 1
  /** The one that was taught last comes first. */
  templates: Template[]
}

/** Pages that are built alike, and where their values stand. */
export interface Template {
  /** What their parts are called, with how many of the pages have each. */
  sketch: [hash: number, pages: number][]
  /** Pages that the sketch was taken from. */
  pages: number
  /** The last pages that taught something, so that one page does not count twice. */
  taughtBy: number[]
  /** How many pages have taught something. */
  taught: number
  fields: Record<string, FieldMemory>
}

export interface FieldMemory {
  places: LearnedPlace[]
  /** Number of pages in a row, the last ones, that did not state it when the language model was asked. */
  absent: number
  /** Pages whose structured data stated it. */
  inData: number
  /** On these: how often the rules alone were right, and wrong. */
  rules: { right: number; wrong: number }
  /** Of a title that only the head states. */
  affixes?: Affixes
}

/** A candidate with what was seen of it. */
export interface LearnedPlace extends Candidate {
  /** Pages on which it had the value of the field. */
  seen: number
  /** Pages on which it had another one, or none. */
  failed: number
  /** Some of the values that it had, by their hashes: what is the same on all pages proves nothing. */
  values: number[]
}

/** Where a value stands on a page. */
export interface Candidate {
  locator: Locator
  /** The attribute that has it; empty for the text of the element. */
  attribute: string
  part: Part
  guards: Guards
}

/**
 * How an element is found again: by its names and those of the elements around it (`path`, `near` with fewer of them), by the text
 * before it (`label`) or by tags alone (`tags`).
 */
export interface Locator {
  by: LocatorKind
  key: number
  /** Which of the elements with this key: from 0, or from -1 backwards. All of them for a list. */
  nth: number | 'all'
}

export type LocatorKind = 'label' | 'path' | 'near' | 'tags'

/** Which part of the text it is. */
export type Part =
  | { kind: 'whole' }
  /** One of the numbers in it. */
  | { kind: 'number'; nth: number; of: number }
  /** One of the pieces between separators, or all of them for a list. */
  | { kind: 'piece'; nth: number | 'all' }
  /** What stands between these words; digits stand for any number. */
  | { kind: 'between'; before: string; after: string }

/** What was the same on all pages that confirmed a place, and is expected on the next; null where it differed. */
export interface Guards {
  /** The text before the element, hashed. */
  label: number | null
  /** What stands on both sides of the number. */
  before: string | null
  after: string | null
  /** The longest text that it had. */
  longest: number
  hasDigits: boolean
}

/** A place is used once at least this many pages of its template have taught something, */
export const leastTaught = 3
/** it had the value on at least this many of them, */
export const leastSeen = 2
/** and at least this many different values; */
export const leastValues = 2
/** a value that never differs needs at least this many pages. */
export const leastSeenOfSame = 5
/** One page on which it was wrong needs at least this many on which it was right. */
const failureWeight = 6
/** Once this many pages have taught, only what fails is noted. */
export const mostTaught = 8
export const mostTemplates = 6
export const mostFields = 60
/** Places of a field that are kept while it is learned, and then. */
export const mostCandidates = 30
export const mostPlaces = 8
export const mostValues = 4
/** A field that `mostAbsent` pages in a row did not state is asked for on one of `askedAgain` pages. */
export const mostAbsent = 3
export const askedAgain = 10

export const emptyMemory = (): LearnedMemory => ({ version: 1, templates: [] })

/** Memory of another version is forgotten: it is learned again within a few pages. */
export function parseMemory(text: string | undefined): LearnedMemory {
  if (text === undefined) return emptyMemory()
  const read = parseJson(text) as Partial<LearnedMemory>
  return read.version === 1 && Array.isArray(read.templates)
    ? { version: 1, templates: read.templates }
    : emptyMemory()
}

/** A damaged row must not fail the pages that would be read with it: they are read without it, and it is written anew. */
function parseJson(text: string): object {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}

export function isUsable({ seen, failed, values }: LearnedPlace, { taught }: Template): boolean {
  const isProved = (seen >= leastSeen && values.length >= leastValues) || seen >= leastSeenOfSame
  return taught >= leastTaught && isProved && seen >= failed * failureWeight
}

/** The same place has the same name. */
export function nameOf({ locator, attribute, part }: Candidate): string {
  return JSON.stringify([locator.by, locator.key, locator.nth, attribute, Object.values(part)])
}
