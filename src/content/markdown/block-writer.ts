/**
 * The Markdown written so far. Lists and quotes add to what every line begins with, so no line is touched
 * again once it is written.
 */
export interface BlockWriter {
  /** Joined at the end, which makes one plain string of them and lets go of the page. */
  parts: string[]
  /** The prefix of further lines of the current item or quote. */
  prefix: string
  /** Bullets and the like that wait for the first text inside them. */
  markers: string
  /** The prefix of the line with those markers. */
  outerPrefix: string
  /** Line breaks before the next block: one, or two for an empty line between. */
  gap: 1 | 2
  /** Blocks begun so far. */
  count: number
  /** Empty lines written so far between blocks. */
  emptyLines: number
  /** The list that ended with the last block, and how its items were marked. */
  lastList: { count: number; sign: string; isOfTerms?: boolean }
}

export function newBlockWriter(): BlockWriter {
  return {
    parts: [],
    prefix: '',
    markers: '',
    outerPrefix: '',
    gap: 2,
    count: 0,
    emptyLines: 0,
    lastList: { count: 0, sign: '' },
  }
}

export function writeBlock(output: BlockWriter, text: string): void {
  const { markers } = output
  const start = markers === '' ? output.prefix : output.outerPrefix
  const gap = output.count === 0 ? '' : output.gap === 2 ? `\n${start.trimEnd()}\n` : '\n'
  if (gap.length > 1) output.emptyLines += 1
  output.parts.push(gap + start + markers, text)
  output.markers = ''
  output.gap = 2
  output.count += 1
}

/** Lines that stand one below the other, such as those of a listing or a table. */
export function writeLines(output: BlockWriter, text: string): void {
  const { prefix } = output
  if (prefix === '') writeBlock(output, text)
  else {
    const empty = prefix.trimEnd()
    writeBlock(
      output,
      text.replace(/\n(?=(\n)?)/g, (_, next) => `\n${next === undefined ? prefix : empty}`),
    )
  }
}

/** Writes what lies in an item or a quote; the marker is written only if something is. */
export function writeInside(output: BlockWriter, marker: string, indent: string, write: () => void): boolean {
  const { prefix, markers, outerPrefix, count } = output
  if (markers === '') output.outerPrefix = prefix
  output.markers += marker
  output.prefix += indent
  write()
  const hasText = output.count > count
  output.prefix = prefix
  output.markers = hasText ? '' : markers
  output.outerPrefix = outerPrefix
  return hasText
}
