import { isRight, type Kind, kindOf } from './right.ts'
import type { Schema } from './sites/schema.ts'
import { Either, type Expected, type ExpectedValue } from './sites/template.ts'

/** One field of one answer. */
export interface FieldScore {
  /** As evidence names it: `items[0].name`. */
  path: string
  kind: Kind
  /** The page states it. */
  isWanted: boolean
  isFilled: boolean
  isRight: boolean
  want: ExpectedValue | undefined
  got: unknown
}

interface Comparison {
  want: ExpectedValue | undefined
  got: unknown
  asked: Schema
  path: string
}

/** Every field that the schema asks for, in every row that either side has; `base` is the address of the page. */
export function scoreAnswer(asked: Schema, want: Expected, got: unknown, base: string): FieldScore[] {
  return scored({ want, got, asked, path: '' }, base)
}

function scored(compared: Comparison, base: string): FieldScore[] {
  const { asked } = compared
  if (asked.type === 'object') return scoredObject(compared, base)
  if (asked.type === 'array' && asked.items?.type === 'object') return scoredRows(compared, base)
  return scoredField(compared, base)
}

function scoredObject({ want, got, asked, path }: Comparison, base: string): FieldScore[] {
  const [wanted, given] = [entriesOf(want), entriesOf(got)]
  const known = asked.properties ?? {}
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`)
  const fields = Object.entries(known).flatMap(([name, property]) =>
    // The truth of a page has no other values.
    scored(
      {
        want: wanted.get(name) as ExpectedValue | undefined,
        got: given.get(name),
        asked: property,
        path: inner(name),
      },
      base,
    ),
  )
  const unasked = [...given]
    .filter(([name, value]) => !(name in known) && isFilled(value))
    .map(([name, value]) => wrong(inner(name), value))
  return [...fields, ...unasked]
}

const wrong = (path: string, got: unknown): FieldScore => ({
  ...{ path, kind: 'text', isWanted: false, isFilled: true, isRight: false, want: undefined, got },
})

function scoredRows({ want, got, asked, path }: Comparison, base: string): FieldScore[] {
  const wanted = Array.isArray(want) ? want : []
  const given = Array.isArray(got) ? got : []
  const row = asked.items ?? asked
  const scores = wanted.map((one) =>
    given.map((other, at) => scored({ want: one, got: other, asked: row, path: `${path}[${at}]` }, base)),
  )
  const paired = pairs(
    scores.map((line) => line.map((fields) => fields.filter((field) => field.isRight).length)),
  )
  const met = new Set(paired.values())
  return [
    ...wanted.flatMap((one, at) => {
      const partner = paired.get(at)
      const together = partner === undefined ? undefined : scores[at]?.[partner]
      return together ?? scored({ want: one, got: undefined, asked: row, path: `${path}[-${at + 1}]` }, base)
    }),
    ...given.flatMap((other, at) =>
      met.has(at) ? [] : scored({ want: undefined, got: other, asked: row, path: `${path}[${at}]` }, base),
    ),
  ]
}

/** Which row of the answer stands for which row of the truth, both in order, with the most fields right. */
function pairs(gains: number[][]): Map<number, number> {
  const [height, width] = [gains.length, gains[0]?.length ?? 0]
  const best = Array.from({ length: height + 1 }, () => new Array<number>(width + 1).fill(0))
  const at = (row: number, column: number) => best[row]?.[column] ?? 0
  const gain = (row: number, column: number) => gains[row]?.[column] ?? 0
  for (let row = height - 1; row >= 0; row -= 1)
    for (let column = width - 1; column >= 0; column -= 1) {
      const together = gain(row, column) + at(row + 1, column + 1)
      const line = best[row]
      if (line) line[column] = Math.max(together, at(row + 1, column), at(row, column + 1))
    }
  const found = new Map<number, number>()
  for (let [row, column] = [0, 0]; row < height && column < width; ) {
    if (gain(row, column) > 0 && at(row, column) === gain(row, column) + at(row + 1, column + 1)) {
      found.set(row, column)
      row += 1
      column += 1
    } else if (at(row, column) === at(row + 1, column)) row += 1
    else column += 1
  }
  return found
}

function scoredField({ want: stated, got, asked, path }: Comparison, base: string): FieldScore[] {
  const want = Array.isArray(stated) && stated.length === 0 ? undefined : stated
  const right = want !== undefined && isFilled(got) && isRight(want, got, asked, base)
  const isOptional = want instanceof Either && want.isOptional
  // What the page only implies neither helps nor harms.
  if (isOptional && (right || !isFilled(got))) return []
  const isWanted = want !== undefined && !isOptional
  return [{ path, kind: kindOf(asked), isWanted, isFilled: isFilled(got), isRight: right, want, got }]
}

function entriesOf(value: unknown): Map<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return new Map(isObject ? Object.entries(value) : [])
}

export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value)) return value.some(isFilled)
  return typeof value !== 'object' || Object.values(value).some(isFilled)
}
