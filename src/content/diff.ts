import { isDeepStrictEqual } from 'node:util'
import { structuredPatch } from 'diff'
import { joinBytes } from '../platform/json/join-bytes.ts'
import type { JsonText } from '../platform/json/json.ts'

/** The earlier versions of the page that is being scraped. */
export interface ChangeHistory {
  /**
   * Compares the page as it is now, as text or in UTF-8, with the last version under the tag; a tag is a history of its
   * own. `values` are what it says of the fields of a schema, as `writeValues` writes them.
   */
  compare(
    current: string | Uint8Array,
    how: { tag: string | null; showsDifference: boolean; values?: string | Uint8Array | undefined },
  ): Promise<Comparison | { reason: string }>
}

export interface Comparison {
  changeStatus: (typeof changeStatuses)[number]
  /** When the version before was fetched. */
  previousAt: number | undefined
  /** If there is one and it was requested. */
  difference: ShownDifference | undefined
  /** If there are earlier ones and they were requested. */
  values?: ComparedValues | undefined
}

export interface ComparedValues extends ShownValueChanges {
  /** When the page of the earlier values was fetched: not the version before, where that was tracked without values. */
  previousAt: number
}

/** A difference that is only passed on: long parts are already JSON. */
export type ShownDifference = { [Part in keyof Difference]: Difference[Part] | JsonText }

export const changeStatuses = ['new', 'same', 'changed', 'removed'] as const

/** A difference in its two output forms: as text for `patch` and `git apply`, and as parts. */
export interface Difference {
  text: string
  files: DiffFile[]
}

interface DiffFile {
  from: string | null
  to: string | null
  chunks: DiffChunk[]
}

interface DiffChunk {
  /** The line that says where the chunk stands in both versions. */
  content: string
  changes: DiffChange[]
}

type DiffChange =
  | { type: 'add'; add: true; ln: number; content: string }
  | { type: 'del'; del: true; ln: number; content: string }
  | { type: 'normal'; normal: true; ln1: number; ln2: number; content: string }

/**
 * Whether two versions say the same. White space never counts, not even where only one of them has it: how a site
 * wraps and indents its text is not news. Order does count: a list sorted anew is a change.
 */
export function isSameText(previous: string, current: string): boolean {
  return previous === current || withoutSpace(previous) === withoutSpace(current)
}

/** The lines that changed from one version to the next, with three lines around them. */
export function unifiedDiff(previous: string, current: string): Difference {
  const chunks = changedParts(linesOf(previous), linesOf(current)).map((hunk) => ({
    content: headingOf(hunk),
    changes: changesOf(hunk),
  }))
  const lines = chunks.flatMap((chunk) => [chunk.content, ...chunk.changes.map(lineOf)])
  return {
    text: `${['--- previous', '+++ current', ...lines].join('\n')}\n`,
    files: [{ from: 'previous', to: 'current', chunks }],
  }
}

const contextLines = 3

/**
 * The work grows with the square of the changed lines: up to here it takes well under a second. The time limit is for
 * machines slower than ours, since a result that depends on the time is the lesser evil only there.
 */
const maxChangedLines = 2000
const maxMilliseconds = 1500
const maxCharacters = 1024 * 1024

interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  /** Each with its sign. */
  lines: string[]
  note?: string
}

/** Looks only between the first and the last line that differ, so a long page with a small change is cheap. */
function changedParts(previous: string[], current: string[]): Hunk[] {
  const { head, tail } = commonEnds(previous, current)
  const skipped = Math.max(0, head - contextLines)
  const after = Math.min(tail, contextLines)
  const left = previous.slice(skipped, previous.length - tail + after)
  const right = current.slice(skipped, current.length - tail + after)
  const hunks = lineByLine(left, right) ?? [asOneBlock(left, right, { before: head - skipped, after })]
  return hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
  }))
}

function commonEnds(previous: string[], current: string[]): { head: number; tail: number } {
  const most = Math.min(previous.length, current.length)
  let head = 0
  while (head < most && previous[head] === current[head]) head += 1
  let tail = 0
  while (tail < most - head && previous.at(-1 - tail) === current.at(-1 - tail)) tail += 1
  return { head, tail }
}

function lineByLine(previous: string[], current: string[]): Hunk[] | undefined {
  const texts = [previous, current].map((lines) => lines.map((line) => `${line}\n`).join(''))
  const [left = '', right = ''] = texts
  if (left.length + right.length > maxCharacters) return undefined
  const limits = { maxEditLength: maxChangedLines, timeout: maxMilliseconds }
  return structuredPatch('', '', left, right, undefined, undefined, { context: contextLines, ...limits })
    ?.hunks
}

/** True and readable, only longer than need be: everything old goes, everything new comes. */
function asOneBlock(previous: string[], current: string[], around: { before: number; after: number }): Hunk {
  const inside = (lines: string[]) => lines.slice(around.before, lines.length - around.after)
  return {
    oldStart: 1,
    oldLines: previous.length,
    newStart: 1,
    newLines: current.length,
    lines: [
      ...previous.slice(0, around.before).map((line) => ` ${line}`),
      ...inside(previous).map((line) => `-${line}`),
      ...inside(current).map((line) => `+${line}`),
      ...current.slice(current.length - around.after).map((line) => ` ${line}`),
    ],
    note: 'too many changes to compare line by line: replaced as a whole',
  }
}

/** Where a side has no line, its number is that of the line before: so the format wants it. */
function headingOf(hunk: Hunk): string {
  const place = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`
  const note = hunk.note === undefined ? '' : ` ${hunk.note}`
  return `@@ -${place(hunk.oldStart, hunk.oldLines)} +${place(hunk.newStart, hunk.newLines)} @@${note}`
}

function changesOf(hunk: Hunk): DiffChange[] {
  let old = hunk.oldStart
  let now = hunk.newStart
  return hunk.lines.map((line): DiffChange => {
    const content = line.slice(1)
    if (line.startsWith('+')) return { type: 'add', add: true, ln: now++, content }
    if (line.startsWith('-')) return { type: 'del', del: true, ln: old++, content }
    return { type: 'normal', normal: true, ln1: old++, ln2: now++, content }
  })
}

const signs = { add: '+', del: '-', normal: ' ' }

function lineOf(change: DiffChange): string {
  return signs[change.type] + change.content
}

/** Ends of lines are white space too: one kind of them, and one after the last line, whatever the site sent. */
function linesOf(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  while (lines.at(-1) === '') lines.pop()
  return lines
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}

/** What two versions of a page say of the fields that both were asked for. */
export interface ValueChanges {
  /** By the path of the field, where the two differ; null where one of them has no value. */
  changes: Record<string, { previous: unknown; current: unknown }>
  /** Whether a field that has a value in both has another one now. */
  isChanged: boolean
  /** Fields with a value before and none now. */
  lost: string[]
  /** Fields with a value now and none before. */
  found: string[]
  /** Fields that only the earlier version was asked for. */
  onlyBefore: string[]
  /** Fields that only this version was asked for. */
  onlyNow: string[]
}

/** Changes that are only passed on: long ones are already JSON. */
export type ShownValueChanges = Omit<ValueChanges, 'changes'> & {
  changes: ValueChanges['changes'] | JsonText
}

interface KeptValues {
  /** The paths of all fields that the version was asked for. */
  fields: string[]
  /** What was read of them, by path. */
  values: Record<string, unknown>
  /** What was added to that. */
  added: Record<string, unknown>
}

/** The values of a version as they are kept. Those that were read are JSON already, and may be long: they are not parsed for it. */
export async function writeValues({
  fields,
  values,
  added,
}: Omit<KeptValues, 'values'> & { values: string | Uint8Array }): Promise<string | Uint8Array> {
  const start = `{"fields":${JSON.stringify(fields)},"added":${JSON.stringify(added)},"values":`
  if (typeof values === 'string') return `${start}${values}}`
  const parts = [Buffer.from(start), values, Buffer.from('}')]
  return joinBytes(
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  )
}

/** Compares the values of two versions, as `writeValues` has written them. Where their fields differ, those that both have. */
export function valueChanges(previous: string, current: string): ValueChanges {
  const [before, now] = [readValues(previous), readValues(current)]
  const wasAsked = new Set(before.fields)
  const isAsked = new Set(now.fields)
  const shared = now.fields.filter((path) => wasAsked.has(path))
  const differ = shared.filter((path) => !isDeepStrictEqual(before.values.get(path), now.values.get(path)))
  const pair = (path: string) => ({
    previous: before.values.get(path) ?? null,
    current: now.values.get(path) ?? null,
  })
  return {
    changes: Object.fromEntries(differ.map((path) => [path, pair(path)])),
    isChanged: differ.some((path) => before.values.has(path) && now.values.has(path)),
    lost: differ.filter((path) => !now.values.has(path)),
    found: differ.filter((path) => !before.values.has(path)),
    onlyBefore: before.fields.filter((path) => !isAsked.has(path)),
    onlyNow: now.fields.filter((path) => !wasAsked.has(path)),
  }
}

function readValues(written: string): { fields: string[]; values: Map<string, unknown> } {
  // Only `writeValues` writes what is read here.
  const { fields, values, added } = JSON.parse(written) as KeptValues
  return { fields, values: new Map([...Object.entries(values), ...Object.entries(added)]) }
}
