import { isDeepStrictEqual } from 'node:util'
import { joinBytes } from '../base/join-bytes.ts'
import type { JsonText } from '../base/json-text.ts'

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
