/** Kinds of personal data, by the names of the API. */
export const entities = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
export type Entity = (typeof entities)[number]

/**
 * How sure a finder must be:
 * - `accurate`: a checksum, a shape of its own, or a word that names it
 * - `aggressive`: a shape alone is enough
 * - `fast`: only what a shape of its own or a checksum proves, without a look at the words around
 */
export const redactionModes = ['accurate', 'aggressive', 'fast'] as const
export type RedactionMode = (typeof redactionModes)[number]

/** A place in a text that holds personal data. */
export interface Found {
  start: number
  end: number
  entity: Entity
}

/** The place that a pattern has matched. */
export function foundAt({ 0: match, index }: RegExpExecArray, entity: Entity): Found {
  return { start: index, end: index + match.length, entity }
}

/** Finds personal data of one kind, in time that grows with the text alone. */
export type Finder = (text: string, mode: RedactionMode) => Found[]

/** How far before a number the word that says what it is may stand. */
const reach = 40

/** Whether one of these words stands shortly before a place, on the same line or in the cell before. */
export function isNamed(text: string, at: number, words: RegExp): boolean {
  const before = text.slice(Math.max(0, at - reach), at)
  return words.test(before.slice(before.lastIndexOf('\n') + 1))
}

/** The addresses in a text: a number in one is rather the name of a page than of a person. */
export function addressesIn(text: string): (at: number) => boolean {
  const addresses = text.matchAll(/https?:\/\/[^\s<>()[\]"]+/g)
  let [start, end] = [0, 0]
  // Places are asked for in order, so each address is met once.
  return (at) => {
    while (at >= end) {
      const next = addresses.next().value
      if (!next) [start, end] = [Infinity, Infinity]
      else [start, end] = [next.index, next.index + next[0].length]
    }
    return at >= start
  }
}
