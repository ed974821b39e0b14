/** The lines of a text, by number, inside the quotes that are around them. Flat, because a file may have millions. */
export interface Lines {
  text: string
  count: number
  /** Where each line begins, with the marks of the quotes around. */
  starts: Int32Array
  /** Where its own text begins, behind those marks; its indentation is a part of it. */
  froms: Int32Array
  /** Where it ends, before the line break. */
  ends: Int32Array
}

export function linesOf(text: string): Lines {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  const [starts, ends] = [new Int32Array(count), new Int32Array(count)]
  for (let line = 0, start = 0; line < count; line += 1) {
    const end = text.indexOf('\n', start)
    starts[line] = start
    ends[line] = end === -1 ? text.length : end
    start = end + 1
  }
  return { text, count, starts, froms: starts, ends }
}

/** Lines between two numbers whose own text begins further behind. */
export function inside({ text, starts, ends }: Lines, first: number, froms: Int32Array): Lines {
  const behind = first + froms.length
  return {
    text,
    count: froms.length,
    starts: starts.subarray(first, behind),
    froms,
    ends: ends.subarray(first, behind),
  }
}

export const startOf = ({ starts }: Lines, line: number) => starts[line] ?? 0
export const endOf = ({ ends }: Lines, line: number) => ends[line] ?? 0

/** Whether nothing stands on a line. */
export const isBlank = (lines: Lines, line: number) => textStart(lines, line) === endOf(lines, line)

/** Where the first character of a line is that is no white space; its end, if there is none. */
export function textStart(lines: Lines, line: number): number {
  return behindSpace(lines.text, lines.froms[line] ?? 0, endOf(lines, line))
}

export function behindSpace(text: string, from: number, end: number): number {
  let at = from
  while (at < end && isSpace(text.charCodeAt(at))) at += 1
  return at
}

const [tab, space, carriageReturn] = [9, 32, 13]
const isSpace = (code: number) => code === space || code === tab || code === carriageReturn

/** The columns that a line is indented by. */
export function indentOf(lines: Lines, line: number): number {
  const end = textStart(lines, line)
  let columns = 0
  for (let at = lines.froms[line] ?? 0; at < end; at += 1) {
    columns += lines.text.charCodeAt(at) === tab ? 4 - (columns % 4) : 1
  }
  return columns
}

/** How much of a line patterns look at: marks stand at its beginning. */
const beginning = 200

/** A line without its indentation, as far as its marks go. */
export function markOf(lines: Lines, line: number): string {
  const start = textStart(lines, line)
  return lines.text.slice(start, Math.min(endOf(lines, line), start + beginning))
}
