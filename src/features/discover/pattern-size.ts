/** Tables of Unicode are long, and each mention of one is read again. */
const sizeOfTable = 20

/**
 * How many parts a pattern has when its repetitions are written out, which is what the engine does: seven characters such as
 * `a{1000}` become a thousand steps. Told from the text alone, before the engine sees it; a pattern that is not valid has some
 * size too.
 */
export function patternSize(pattern: string): number {
  const outer: { size: number; last: number }[] = []
  let size = 0
  let last = 0
  const add = (part: number) => {
    size += part
    last = part
  }
  for (const [piece] of pattern.matchAll(tokens)) {
    if (piece.startsWith('(')) {
      outer.push({ size, last })
      size = 0
      last = 0
    } else if (piece === ')') {
      const group = size + 2
      size = outer.pop()?.size ?? 0
      add(group)
    } else if (/^\{\d/.test(piece)) {
      const copies = Math.max(1, ...(piece.match(/\d+/g) ?? []).map(Number))
      size += last * (copies - 1)
      last *= copies
    } else if (piece.startsWith('\\Q')) add(piece.length)
    else add(1 + sizeOfTable * (piece.match(/\\[pP]/g)?.length ?? 0))
  }
  return outer.reduce((sum, { size: before }) => sum + before, size)
}

/** Quoted text, a class, an escape, a repetition, the beginning of a group with its flags, or one character. */
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\[\^?\]?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}|\((?:\?(?:P?<\w*>|[\w-]*:))?|[\s\S]/g
