export type BlockWriter = ReturnType<typeof createBlockWriter>

/** Lists and quotes add to the prefix of each line, so no line is changed after it is written. */
export function createBlockWriter() {
  const parts: string[] = []
  return {
    /** Joining the parts at the end creates one flat string that does not reference the page. */
    parts,
    prefix: '',
    /** Bullets and similar markers that are written before the next text. */
    markers: '',
    /** Prefix of the line on which the markers are written. */
    outerPrefix: '',
    gap: 2,
    count: 0,
    emptyLines: 0,
    lastList: { count: 0, sign: '', isOfTerms: false },
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

export function writeLines(output: BlockWriter, text: string): void {
  const { prefix } = output
  const empty = prefix.trimEnd()
  const indent = (_: string, next: string | undefined) => `\n${next === undefined ? prefix : empty}`
  writeBlock(output, prefix === '' ? text : text.replace(/\n(?=(\n)?)/g, indent))
}

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
