export const entities = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
export type Entity = (typeof entities)[number]

/** `aggressive` accepts a format alone, `fast` skips values that only the words around them can confirm. */
export const redactionModes = ['accurate', 'aggressive', 'fast'] as const
export type RedactionMode = (typeof redactionModes)[number]

export interface PiiMatch {
  start: number
  end: number
  entity: Entity
}

export function toPiiMatch({ 0: match, index }: RegExpExecArray, entity: Entity): PiiMatch {
  return { start: index, end: index + match.length, entity }
}

/** A finder must take time linear in the length of the text. */
export type Finder = (text: string, mode: RedactionMode) => PiiMatch[]

const maxWordDistance = 40

export function hasWordBefore(text: string, at: number, words: RegExp): boolean {
  const textBefore = text.slice(Math.max(0, at - maxWordDistance), at)
  return words.test(textBefore.slice(textBefore.lastIndexOf('\n') + 1))
}

/** A number in a URL identifies a page rather than a person. */
export function createUrlTest(text: string): (at: number) => boolean {
  const urls = text.matchAll(/https?:\/\/[^\s<>()[\]"]+/g)
  let [start, end] = [0, 0]
  // Offsets must be tested in ascending order, so that each URL is visited once.
  return (at) => {
    while (at >= end) {
      const next = urls.next().value
      if (!next) [start, end] = [Infinity, Infinity]
      else [start, end] = [next.index, next.index + next[0].length]
    }
    return at >= start
  }
}
