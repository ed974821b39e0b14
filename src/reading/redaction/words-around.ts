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
