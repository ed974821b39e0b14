import { endOf, indentOf, type Lines, markOf, textStart } from './lines.ts'
import { headingMark } from './marks.ts'

export interface Heading {
  level: number
  /** Its words, without links and marks. */
  title: string
  /** Where it stands, behind its indentation. */
  at: number
}

/** A longer line is a text, whatever it begins with: every piece below a heading repeats it. */
const longest = 500

export function headingOf(lines: Lines, line: number): Heading | undefined {
  const signs = headingMark.exec(markOf(lines, line))?.[1]
  const [at, end] = [textStart(lines, line), endOf(lines, line)]
  if (signs === undefined || indentOf(lines, line) > 3 || end - at > longest) return undefined
  return { level: signs.length, title: plainTitle(lines.text.slice(at + signs.length, end)), at }
}

/** A short piece of Markdown as it is read aloud. */
export function plainTitle(markdown: string): string {
  return markdown
    .replace(/!?\[((?:[^[\]\\]|\\.)*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g, '$1')
    .replace(/(?<!\\)(?:\*\*|__|~~|`+)/g, '')
    .replace(/(?<![\\\p{L}\p{N}])[*_](?=\S)|(?<=[^\s\\])[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
