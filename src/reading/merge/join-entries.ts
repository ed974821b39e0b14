import type { FieldSpec, ListSpec, ObjectSpec } from '../schema/field-spec.ts'
import { isObject, type Merging, type Said, type Stated } from './merging.ts'
import { namesThing, valueKey } from './same-value.ts'

interface Joining {
  lists: readonly Stated[]
  path: string
  mergeValue(work: Merging, spec: FieldSpec, said: Said, path: string): Promise<unknown>
}

/** The lists of several pages as one, in the order of the pages; what stands in two of them stands once. */
export async function joinEntries(
  work: Merging,
  spec: ListSpec,
  { lists, path, mergeValue }: Joining,
): Promise<unknown[] | undefined> {
  const kept = await fold(work, spec.item, { lists, most: Math.min(work.room, spec.most) })
  work.room -= kept.length
  const joined: unknown[] = []
  for (const own of kept) {
    const missing = work.merged.missing.length
    const value = await mergeValue(work, spec.item, { own, others: [] }, `${path}[${joined.length}]`)
    // Fields that one entry lacks are no fields that no page states.
    work.merged.missing.length = missing
    if (value !== undefined) joined.push(value)
  }
  return joined.length === 0 ? undefined : joined
}

/** Entries that are the same thing, together. */
async function fold(
  work: Merging,
  spec: FieldSpec,
  { lists, most }: { lists: readonly Stated[]; most: number },
): Promise<Stated[][]> {
  const groups: Stated[][] = []
  const byKey = new Map<string, Stated[][]>()
  for (const entry of entriesOf(lists)) {
    const { key, isSure } = keyOf(spec, entry.value)
    const alike = byKey.get(key) ?? []
    const group = alike.slice(0, mostAlike).find((one) => mayJoin(one, entry, isSure))
    if (group) group.push(entry)
    else if (groups.length >= most) work.merged.leftOut += 1
    else {
      const own = [entry]
      groups.push(own)
      alike.push(own)
      byKey.set(key, alike)
    }
  }
  return groups
}

function* entriesOf(lists: readonly Stated[]): Generator<Stated> {
  for (const { page, value, path } of lists) {
    if (!Array.isArray(value)) continue
    for (const [index, entry] of value.entries()) yield { page, value: entry, path: `${path}[${index}]` }
  }
}

/** Of many entries with one name, at most this many are looked at. */
const mostAlike = 20

/** What an entry is known by; sure where that is an id or an address, or the whole entry. */
function keyOf(spec: FieldSpec, value: unknown): { key: string; isSure: boolean } {
  if (spec.kind !== 'object' || !isObject(value)) return { key: valueKey(value), isSure: true }
  const id = fieldOf(spec, value, (name) => namesThing(name) === 2 || isAddress(name))
  if (id !== undefined) return { key: id, isSure: true }
  const name = fieldOf(spec, value, (field) => namesThing(field) === 1)
  if (name !== undefined) return { key: name, isSure: false }
  return { key: JSON.stringify(value), isSure: true }
}

const isAddress = (name: string) => /^(?:url|link|href|permalink)$/i.test(name)

function fieldOf(
  spec: ObjectSpec,
  value: Record<string, unknown>,
  isKey: (name: string) => boolean,
): string | undefined {
  for (const name of spec.fields.keys()) {
    if (!isKey(name) || !Object.hasOwn(value, name) || value[name] === null || value[name] === undefined)
      continue
    return `${name} ${valueKey(value[name])}`
  }
  return undefined
}

/** Two entries of one page are two things. Those of one name are one thing only where nothing else tells them apart. */
function mayJoin(group: readonly Stated[], entry: Stated, isSure: boolean): boolean {
  const [first] = group
  if (!first) return false
  const isSamePage = group.some(({ page }) => page === entry.page)
  if (isSure) return !isSamePage || valueKey(first.value) === valueKey(entry.value)
  return !isSamePage && group.every((one) => agree(one.value, entry.value))
}

function agree(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return valueKey(left) === valueKey(right)
  return Object.entries(left).every(([name, value]) => {
    if (!Object.hasOwn(right, name)) return true
    const other = right[name]
    return typeof value === 'object' || valueKey(value) === valueKey(other)
  })
}
