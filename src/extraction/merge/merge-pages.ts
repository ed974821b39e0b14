import { define } from '../fields/from-items.ts'
import { type FieldSpec, isObject, type ListSpec, type ObjectSpec } from '../schema/field-spec.ts'
import {
  type Conflict,
  isIdentifyingField,
  type MergeContext,
  type MergeResult,
  type PageValues,
  type StatedValue,
  type StatedValues,
  trustIn,
  valueKey,
} from './merging.ts'

/** Entries of all lists together. */
const maxEntries = 10_000
const maxSources = 5000

/**
 * What several pages say → one value by the same schema. Lists are joined, single values are decided by evidence, and what was
 * not chosen is reported.
 */
export async function mergePages(spec: FieldSpec, pages: readonly PageValues[]): Promise<MergeResult> {
  const merged: MergeResult = {
    ...{ value: undefined, sources: {}, conflicts: [], missing: [], borrowed: [], leftOut: 0 },
    unlisted: { conflicts: 0, sources: 0 },
  }
  const work: MergeContext = { pages, merged, room: maxEntries, sourceRoom: maxSources }
  // Evidence of a list or a value that stands alone is kept under this name.
  const start = spec.kind === 'object' ? '' : 'value'
  const stated = pages.flatMap(({ value }, page): StatedValue[] =>
    value === undefined || value === null ? [] : [{ page, value, path: start }],
  )
  merged.value = await mergeValue(work, spec, { own: stated, others: [] }, '')
  return merged
}

async function mergeValue(
  work: MergeContext,
  spec: FieldSpec,
  said: StatedValues,
  path: string,
): Promise<unknown> {
  if (spec.kind === 'object') return mergeObject(work, spec, said, path)
  if (spec.kind !== 'list') return decide(work, said, path)
  const lists = said.own.length > 0 ? said.own : said.others
  return joinEntries(work, spec, lists, path)
}

async function mergeObject(
  work: MergeContext,
  spec: ObjectSpec,
  said: StatedValues,
  path: string,
): Promise<Record<string, unknown> | undefined> {
  const { own, others } = pagesAboutSameEntity(work, spec, said)
  const value: Record<string, unknown> = {}
  for (const [name, field] of spec.fields) {
    const at = path === '' ? name : `${path}.${name}`
    const parts: StatedValues = { own: partsOf(own, name), others: partsOf(others, name) }
    if (parts.own.length + parts.others.length === 0) {
      work.merged.missing.push(at)
      continue
    }
    if (parts.own.length === 0) work.merged.borrowed.push(at)
    const part = await mergeValue(work, field, parts, at)
    if (part !== undefined) define(value, name, part)
  }
  return Object.keys(value).length === 0 ? undefined : value
}

function partsOf(stated: StatedValue[], name: string): StatedValue[] {
  return stated.flatMap(({ page, value, path }): StatedValue[] => {
    if (!isObject(value) || !Object.hasOwn(value, name)) return []
    const part = value[name]
    if (part === undefined || part === null) return []
    return [{ page, value: part, path: path === '' ? name : `${path}.${name}` }]
  })
}

/**
 * Which of the pages describe the same thing: those that call it by the name that has the most support, and those that give it no
 * name. Without this, the price of one product would stand beside the title of another.
 */
function pagesAboutSameEntity(
  work: MergeContext,
  spec: ObjectSpec,
  { own, others }: StatedValues,
): StatedValues {
  const asked = own.length > 0 ? own : others
  const name = namingField(spec, asked)
  if (name === undefined) return { own, others }
  const named = asked.map((stated) => ({ stated, name: nameOf(stated, name) }))
  const names = named.flatMap(({ stated, name: value }): StatedValue[] =>
    value === undefined
      ? []
      : [{ page: stated.page, value, path: stated.path === '' ? name : `${stated.path}.${name}` }],
  )
  const [chosen] = grouped(work, names)
  const key = valueKey(chosen?.value)
  const isSame = (value: unknown) => value === undefined || valueKey(value) === key
  const same = named.filter((one) => isSame(one.name)).map((one) => one.stated)
  const different = named.filter((one) => !isSame(one.name)).map((one) => one.stated)
  return own.length > 0 ? { own: same, others: [...different, ...others] } : { own: [], others: same }
}

/** The field that says best what the object is about, of those that some page fills. */
function namingField(spec: ObjectSpec, stated: readonly StatedValue[]): string | undefined {
  const fields = [...spec.fields]
    .filter(([, field]) => field.kind !== 'object' && field.kind !== 'list')
    .map(([name]) => name)
  for (const strength of [2, 1]) {
    const found = fields.find(
      (name) =>
        isIdentifyingField(name) === strength && stated.some((one) => nameOf(one, name) !== undefined),
    )
    if (found !== undefined) return found
  }
  return undefined
}

function nameOf({ value }: StatedValue, field: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, field)) return undefined
  return value[field] ?? undefined
}

/** Those who say the same. */
interface Group {
  value: unknown
  stated: StatedValue[]
  /** From 0 to 1: how sure all of them together are. */
  support: number
  reader: string | undefined
  text: string | undefined
}

/** Pages that repeat each other are never quite sure. */
const shareOfTrust = 0.9
const maxConflicts = 200

/**
 * One value of those that pages state: the one with the most support, and of two with as much the one that comes first. Pages about
 * something else are asked only where the others say nothing; what they say is a conflict all the same.
 */
function decide(work: MergeContext, { own, others }: StatedValues, path: string): unknown {
  const groups = grouped(work, own.length > 0 ? own : others)
  const [chosen, ...rest] = groups
  if (!chosen) return undefined
  noteSources(work, path, chosen.stated)
  const foreign = own.length > 0 ? grouped(work, others) : []
  const key = valueKey(chosen.value)
  const different = [...rest, ...foreign].filter(({ value }) => valueKey(value) !== key)
  if (different.length > 0) noteConflict(work, path, [chosen, ...different])
  return chosen.value
}

/** The values, the best supported first. */
function grouped(work: MergeContext, stated: readonly StatedValue[]): Group[] {
  const groups = new Map<string, Group>()
  const doubts = new Map<string, number>()
  for (const one of stated) {
    const key = valueKey(one.value)
    const evidence = evidenceOf(work, one)
    const trust = trustIn(evidence?.reader)
    const known = groups.get(key)
    doubts.set(key, (doubts.get(key) ?? 1) * (1 - shareOfTrust * trust))
    if (!known) {
      const { reader, text } = evidence ?? {}
      groups.set(key, { value: one.value, stated: [one], support: 0, reader, text })
    } else known.stated.push(one)
  }
  for (const [key, group] of groups) group.support = 1 - (doubts.get(key) ?? 1)
  // The sort is stable: of two that are as good, the one of the earlier page stays first.
  return [...groups.values()].sort((left, right) => right.support - left.support)
}

/** Of a list of plain values, the list has the evidence. */
function evidenceOf({ pages }: MergeContext, { page, path }: StatedValue) {
  const evidence = pages[page]?.evidence
  return evidence?.[path] ?? evidence?.[path.replace(/\[\d+\]$/, '')]
}

function noteSources(work: MergeContext, path: string, stated: readonly StatedValue[]): void {
  const { merged, pages } = work
  if (work.sourceRoom <= 0) {
    merged.unlisted.sources += 1
    return
  }
  work.sourceRoom -= 1
  define(merged.sources, path === '' ? 'value' : path, urlsOf(pages, stated))
}

function noteConflict({ merged, pages }: MergeContext, path: string, groups: readonly Group[]): void {
  if (merged.conflicts.length >= maxConflicts) {
    merged.unlisted.conflicts += 1
    return
  }
  const values = groups.map(({ value, stated, reader, text }): Conflict['values'][number] => ({
    value,
    sources: urlsOf(pages, stated),
    ...(reader === undefined ? {} : { reader }),
    ...(text === undefined ? {} : { text }),
  }))
  merged.conflicts.push({ path, chosen: groups[0]?.value, values })
}

function urlsOf(pages: MergeContext['pages'], stated: readonly StatedValue[]): string[] {
  return [...new Set(stated.flatMap(({ page }) => pages[page]?.url ?? []))]
}

/** The lists of several pages as one, in the order of the pages; what stands in two of them stands once. */
async function joinEntries(
  work: MergeContext,
  spec: ListSpec,
  lists: readonly StatedValue[],
  path: string,
): Promise<unknown[] | undefined> {
  const kept = fold(work, spec.item, lists, Math.min(work.room, spec.most))
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
function fold(
  work: MergeContext,
  spec: FieldSpec,
  lists: readonly StatedValue[],
  most: number,
): StatedValue[][] {
  const groups: StatedValue[][] = []
  const byKey = new Map<string, StatedValue[][]>()
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

function* entriesOf(lists: readonly StatedValue[]): Generator<StatedValue> {
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
  const id = fieldOf(spec, value, (name) => isIdentifyingField(name) === 2 || isAddress(name))
  if (id !== undefined) return { key: id, isSure: true }
  const name = fieldOf(spec, value, (field) => isIdentifyingField(field) === 1)
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
function mayJoin(group: readonly StatedValue[], entry: StatedValue, isSure: boolean): boolean {
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
