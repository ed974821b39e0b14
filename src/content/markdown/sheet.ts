/**
 * The Markdown written so far. Lists and quotes add to what every line begins with, so no line is touched
 * again once it is written.
 */
export interface Sheet {
  /** Joined at the end, which makes one plain string of them and lets go of the page. */
  parts: string[]
  /** What a further line of the current item or quote begins with. */
  prefix: string
  /** Bullets and the like that wait for the first text inside them. */
  markers: string
  /** What the line with those markers begins with. */
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

export function newSheet(): Sheet {
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

export function writeBlock(sheet: Sheet, text: string): void {
  const { markers } = sheet
  const start = markers === '' ? sheet.prefix : sheet.outerPrefix
  const gap = sheet.count === 0 ? '' : sheet.gap === 2 ? `\n${start.trimEnd()}\n` : '\n'
  if (gap.length > 1) sheet.emptyLines += 1
  sheet.parts.push(gap + start + markers, text)
  sheet.markers = ''
  sheet.gap = 2
  sheet.count += 1
}

/** Lines that stand one below the other, such as those of a listing or a table. */
export function writeLines(sheet: Sheet, text: string): void {
  const { prefix } = sheet
  if (prefix === '') writeBlock(sheet, text)
  else {
    const empty = prefix.trimEnd()
    writeBlock(
      sheet,
      text.replace(/\n(?=(\n)?)/g, (_, next) => `\n${next === undefined ? prefix : empty}`),
    )
  }
}

/** Writes what lies in an item or a quote; the marker is written only if something is. */
export function writeInside(sheet: Sheet, marker: string, indent: string, write: () => void): boolean {
  const { prefix, markers, outerPrefix, count } = sheet
  if (markers === '') sheet.outerPrefix = prefix
  sheet.markers += marker
  sheet.prefix += indent
  write()
  const hasText = sheet.count > count
  sheet.prefix = prefix
  sheet.markers = hasText ? '' : markers
  sheet.outerPrefix = outerPrefix
  return hasText
}
