import { endOf, type Lines, markOf, textStart } from './lines.ts'

/** What the beginning of a line says about the block that it begins. Each is given a line without its indentation. */

const fence = /^(?:`{3,}[^`]*$|~{3,})/
const item = /^(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,100}\]:)(?:[ \t]|\r?$)/
const rule = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?$/
const underline = /^(?:=+|-+)[ \t]*\r?$/
const delimiters = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)+\r?$/

export const headingMark = /^(#{1,6})(?:[ \t]|\r?$)/

export const isFence = (mark: string) => fence.test(mark)
export const isItem = (mark: string) => item.test(mark)
export const isRule = (mark: string) => rule.test(mark)
export const isUnderline = (mark: string) => underline.test(mark)

/** Whether a line cannot go on with the text of the line before it. */
export function isMarked(mark: string): boolean {
  return /^[|>]/.test(mark) || isItem(mark) || isFence(mark) || headingMark.test(mark) || isRule(mark)
}

/** The line behind the table that begins at a line; that line itself, if there is none. */
export function tableEnd(lines: Lines, at: number): number {
  let behind = at
  while (behind < lines.count && lines.text[textStart(lines, behind)] === '|') behind += 1
  if (behind > at || at + 1 >= lines.count) return behind
  // Without bars at its edges a table is known by what stands below its head.
  if (!delimiters.test(markOf(lines, at + 1)) || !hasBar(lines, at)) return at
  behind = at + 2
  while (behind < lines.count && hasBar(lines, behind)) behind += 1
  return behind
}

function hasBar(lines: Lines, line: number): boolean {
  const end = endOf(lines, line)
  for (let at = textStart(lines, line); at < end; at += 1) if (lines.text[at] === '|') return true
  return false
}
