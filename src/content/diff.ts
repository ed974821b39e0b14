import { isDeepStrictEqual } from 'node:util'
import { type StructuredPatchHunk, structuredPatch } from 'diff'
import { joinBytes } from '../platform/json/join-bytes.ts'
import type { JsonText } from '../platform/json/json.ts'

export interface ChangeHistory {
  /** Each tag has a separate history. `values` are extracted values in the format of `writeValues`. */
  compare(
    current: string | Uint8Array,
    options: { tag: string | null; showsDifference: boolean; values?: string | Uint8Array | undefined },
  ): Promise<Comparison | { reason: string }>
}

export interface Comparison {
  changeStatus: (typeof changeStatuses)[number]
  previousAt: number | undefined
  difference: SerialisedDifference | undefined
  values?: ComparedValues | undefined
}

export interface ComparedValues extends SerialisedValueChanges {
  /** Time at which the page of the earlier values was fetched; it may be older than the previous version. */
  previousAt: number
}

export type SerialisedDifference = { [Part in keyof Difference]: Difference[Part] | JsonText }

export const changeStatuses = ['new', 'same', 'changed', 'removed'] as const

export interface Difference {
  text: string
  files: { from: string | null; to: string | null; chunks: { content: string; changes: DiffChange[] }[] }[]
}

type DiffChange =
  | { type: 'add'; add: true; ln: number; content: string }
  | { type: 'del'; del: true; ln: number; content: string }
  | { type: 'normal'; normal: true; ln1: number; ln2: number; content: string }

/** White space never counts, because wrapping and indentation are not changes of content; order does. */
export function isSameText(previous: string, current: string): boolean {
  return previous === current || withoutSpace(previous) === withoutSpace(current)
}

export function createUnifiedDiff(previous: string, current: string): Difference {
  const chunks = diffChangedRange(splitLines(previous), splitLines(current)).map((hunk) => ({
    content: formatHunkHeader(hunk),
    changes: toChanges(hunk),
  }))
  const lines = chunks.flatMap((chunk) => [
    chunk.content,
    ...chunk.changes.map(({ type, content }) => prefixes[type] + content),
  ])
  return {
    text: `${['--- previous', '+++ current', ...lines].join('\n')}\n`,
    files: [{ from: 'previous', to: 'current', chunks }],
  }
}

const contextLines = 3

/** The cost grows with their square. The time limit only protects slow machines, as it changes results. */
const maxChangedLines = 2000
const maxMilliseconds = 1500
const maxCharacters = 1024 * 1024

type Hunk = StructuredPatchHunk & { note?: string }

/** Compares only the range between the first and the last different line, so a small change on a long page is cheap. */
function diffChangedRange(previous: string[], current: string[]): Hunk[] {
  const { head: headLength, tail: tailLength } = measureCommonEnds(previous, current)
  const skippedLines = Math.max(0, headLength - contextLines)
  const after = Math.min(tailLength, contextLines)
  const left = previous.slice(skippedLines, previous.length - tailLength + after)
  const right = current.slice(skippedLines, current.length - tailLength + after)
  const hunks = diffLineByLine(left, right) ?? [
    toSingleHunk(left, right, { before: headLength - skippedLines, after }),
  ]
  return hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skippedLines,
    newStart: hunk.newStart + skippedLines,
  }))
}

function measureCommonEnds(previous: string[], current: string[]): { head: number; tail: number } {
  const maxLength = Math.min(previous.length, current.length)
  let head = 0
  while (head < maxLength && previous[head] === current[head]) head += 1
  let tail = 0
  while (tail < maxLength - head && previous.at(-1 - tail) === current.at(-1 - tail)) tail += 1
  return { head, tail }
}

function diffLineByLine(previous: string[], current: string[]): Hunk[] | undefined {
  const join = (lines: string[]) => lines.map((line) => `${line}\n`).join('')
  const [left, right] = [join(previous), join(current)]
  if (left.length + right.length > maxCharacters) return undefined
  const limits = { maxEditLength: maxChangedLines, timeout: maxMilliseconds }
  return structuredPatch('', '', left, right, undefined, undefined, { context: contextLines, ...limits })
    ?.hunks
}

function toSingleHunk(
  previous: string[],
  current: string[],
  context: { before: number; after: number },
): Hunk {
  const inside = (lines: string[]) => lines.slice(context.before, lines.length - context.after)
  return {
    oldStart: 1,
    oldLines: previous.length,
    newStart: 1,
    newLines: current.length,
    lines: [
      ...previous.slice(0, context.before).map((line) => ` ${line}`),
      ...inside(previous).map((line) => `-${line}`),
      ...inside(current).map((line) => `+${line}`),
      ...current.slice(current.length - context.after).map((line) => ` ${line}`),
    ],
    note: 'too many changes to compare line by line: replaced as a whole',
  }
}

/** The format requires the number of the preceding line if a side has no lines. */
function formatHunkHeader({ oldStart, oldLines, newStart, newLines, note }: Hunk): string {
  const formatRange = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`
  return `@@ -${formatRange(oldStart, oldLines)} +${formatRange(newStart, newLines)} @@${note ? ` ${note}` : ''}`
}

function toChanges(hunk: Hunk): DiffChange[] {
  let old = hunk.oldStart
  let now = hunk.newStart
  return hunk.lines.map((line): DiffChange => {
    const content = line.slice(1)
    if (line.startsWith('+')) return { type: 'add', add: true, ln: now++, content }
    if (line.startsWith('-')) return { type: 'del', del: true, ln: old++, content }
    return { type: 'normal', normal: true, ln1: old++, ln2: now++, content }
  })
}

const prefixes = { add: '+', del: '-', normal: ' ' }

/** All kinds of line endings count as white space, and those after the last line are ignored. */
function splitLines(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  while (lines.at(-1) === '') lines.pop()
  return lines
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '')

export interface ValueChanges {
  changes: Record<string, { previous: unknown; current: unknown }>
  isChanged: boolean
  /** Fields with a value only in the earlier version, or only in this one. */
  lost: string[]
  found: string[]
  onlyBefore: string[]
  onlyNow: string[]
}

export type SerialisedValueChanges = Omit<ValueChanges, 'changes'> & {
  changes: ValueChanges['changes'] | JsonText
}

interface StoredValues {
  fields: string[]
  values: Record<string, unknown>
  added: Record<string, unknown>
}

/** The extracted values are JSON already and may be long, so they are not parsed. */
export async function writeValues({
  fields,
  values,
  added,
}: Omit<StoredValues, 'values'> & { values: string | Uint8Array }): Promise<string | Uint8Array> {
  const start = `{"fields":${JSON.stringify(fields)},"added":${JSON.stringify(added)},"values":`
  if (typeof values === 'string') return `${start}${values}}`
  const parts = [Buffer.from(start), values, Buffer.from('}')]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return joinBytes(parts, length)
}

/** Compares values written by `writeValues`. If their fields differ, only the shared fields are compared. */
export function valueChanges(previous: string, current: string): ValueChanges {
  const [earlier, later] = [parseValues(previous), parseValues(current)]
  const earlierFields = new Set(earlier.fields)
  const laterFields = new Set(later.fields)
  const shared = later.fields.filter((path) => earlierFields.has(path))
  const changed = shared.filter(
    (path) => !isDeepStrictEqual(earlier.values.get(path), later.values.get(path)),
  )
  const toPair = (path: string) => ({
    previous: earlier.values.get(path) ?? null,
    current: later.values.get(path) ?? null,
  })
  return {
    changes: Object.fromEntries(changed.map((path) => [path, toPair(path)])),
    isChanged: changed.some((path) => earlier.values.has(path) && later.values.has(path)),
    lost: changed.filter((path) => !later.values.has(path)),
    found: changed.filter((path) => !earlier.values.has(path)),
    onlyBefore: earlier.fields.filter((path) => !laterFields.has(path)),
    onlyNow: later.fields.filter((path) => !earlierFields.has(path)),
  }
}

function parseValues(text: string): { fields: string[]; values: Map<string, unknown> } {
  // The text was always written by `writeValues`, so it needs no validation.
  const { fields, values, added } = JSON.parse(text) as StoredValues
  return { fields, values: new Map([...Object.entries(values), ...Object.entries(added)]) }
}
