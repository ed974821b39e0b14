/**
 * Where the sentences of a text begin, as places in the whole of which it is a part; the first is the beginning of the
 * text. A line break ends one too. None begins inside a link, whose address would be torn from its words.
 */
export function sentenceStarts(whole: string, from: number, to: number): number[] {
  const text = whole.slice(from, to)
  const starts = [from]
  let linkEnd = 0
  const links = text.matchAll(link)
  let next = links.next().value
  for (const { 0: end, index } of text.matchAll(sentenceEnd)) {
    const at = index + end.length
    while (next && next.index < at) {
      linkEnd = next.index + next[0].length
      next = links.next().value
    }
    if (at > linkEnd && at < text.length) starts.push(from + at)
  }
  return starts
}

/** A full stop with what closes around it and the space behind it; in scripts without spaces the stop alone. */
const sentenceEnd = /[.!?…]+["'”’»)\]*_]{0,4}\s+|[。！？｡]+[」』”’）]{0,4}\s*|[\u0964\u06d4\u061f]+\s*|\n+/g

const link = /\[[^[\]]*\]\([^()\s]*\)/g

/**
 * Cuts a text between words into parts of at most `most` characters; a word that is longer is cut inside. Gives where the
 * parts begin.
 */
export function partStarts(whole: string, from: number, to: number, most: number): number[] {
  const starts: number[] = []
  for (let at = from; at < to; ) {
    starts.push(at)
    at = partEnd(whole, at, Math.min(to, at + most), to)
  }
  return starts
}

function partEnd(whole: string, from: number, latest: number, to: number): number {
  if (latest === to) return to
  for (let at = latest; at > from; at -= 1) if (spaces.has(whole.charCodeAt(at - 1))) return at
  // Not between the halves of one character.
  const isInside = (whole.charCodeAt(latest) & 0xfc00) === 0xdc00 && latest - 1 > from
  return isInside ? latest - 1 : latest
}

const spaces = new Set([9, 10, 13, 32, 0xa0, 0x3000])
