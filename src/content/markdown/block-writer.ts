/**
 * The Markdown written so far. Lists and quotes add to the prefix of each line, so no line is changed after it is
 * written.
 */
export interface BlockWriter {
  /** Parts of the output. Joining them at the end creates one flat string that does not reference the page. */
  parts: string[]
  /** Prefix of further lines of the current item or quote. */
  prefix: string
  /** Bullets and similar markers that are written before the next text. */
  markers: string
  /** Prefix of the line with the markers. */
  outerPrefix: string
  /** Number of line breaks before the next block. Two line breaks make an empty line. */
  gap: 1 | 2
  /** Number of blocks written so far. */
  count: number
  /** Number of empty lines between blocks written so far. */
  emptyLines: number
  /**
   * The last list: the number of blocks written when it ended, the character of its markers, and whether it is a list
   * of terms with definitions. A list that follows directly needs another character.
   */
  lastList: { count: number; sign: string; isOfTerms?: boolean }
}

export function createBlockWriter(): BlockWriter {
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
  const linePrefix = markers === '' ? output.prefix : output.outerPrefix
  const separator = output.count === 0 ? '' : output.gap === 2 ? `\n${linePrefix.trimEnd()}\n` : '\n'
  if (separator.length > 1) output.emptyLines += 1
  output.parts.push(separator + linePrefix + markers, text)
  output.markers = ''
  output.gap = 2
  output.count += 1
}

/** Writes a block of several lines, such as a listing or a table. */
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

/** Writes the content of an item or a quote. Writes the marker only if there is content, and returns true then. */
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
