import { trustByReader } from '../fields/extracted-value.ts'
import { define } from '../fields/from-items.ts'
import { type FieldSpec, isObject, type ListSpec, type ObjectSpec } from '../schema/field-spec.ts'

export interface PageValues {
  url: string
  value: unknown
  /** Evidence by path; a path without evidence has the lowest trust. */
  evidence: Readonly<Record<string, { reader: string; text: string }>>
}

export interface Conflict {
  path: string
  chosen: unknown
  values: { value: unknown; sources: string[]; reader?: string; text?: string }[]
}

export interface MergeResult {
  value: unknown
  sources: Record<string, string[]>
  conflicts: Conflict[]
  unlisted: { conflicts: number; sources: number }
  missing: string[]
  /** Paths of fields whose value is from a page about another entity. */
  borrowed: string[]
  leftOut: number
}

interface StatedValue {
  page: number
  value: unknown
  path: string
}

interface MergeContext {
  pages: readonly PageValues[]
  merged: MergeResult
  /** Remaining number of list entries, and of values whose sources may be recorded. */
  remainingEntries: number
  remainingSources: number
}

interface StatedValues {
  own: StatedValue[]
  others: StatedValue[]
}

const maxEntries = 10_000
const maxSources = 5000

/** Joins lists, and chooses single values by evidence. Rejected values are reported as conflicts. */
export function mergePages(spec: FieldSpec, pages: readonly PageValues[]): MergeResult {
  const merged: MergeResult = {
    ...{ value: undefined, sources: {}, conflicts: [], missing: [], borrowed: [], leftOut: 0 },
    unlisted: { conflicts: 0, sources: 0 },
  }
  const context: MergeContext = { pages, merged, remainingEntries: maxEntries, remainingSources: maxSources }
  const rootPath = spec.kind === 'object' ? '' : 'value'
  const stated = pages.flatMap(({ value }, page): StatedValue[] =>
    value === undefined || value === null ? [] : [{ page, value, path: rootPath }],
  )
  merged.value = mergeValue(context, spec, { own: stated, others: [] }, '')
  return merged
}

function mergeValue(context: MergeContext, spec: FieldSpec, stated: StatedValues, path: string): unknown {
  if (spec.kind === 'object') return mergeObject(context, spec, stated, path)
  if (spec.kind !== 'list') return chooseValue(context, stated, path)
  return joinEntries(context, spec, stated.own.length > 0 ? stated.own : stated.others, path)
}

function mergeObject(context: MergeContext, spec: ObjectSpec, statedValues: StatedValues, path: string) {
  const { own, others } = pagesAboutSameEntity(context, spec, statedValues)
  const value: Record<string, unknown> = {}
  for (const [name, field] of spec.fields) {
    const fieldPath = path === '' ? name : `${path}.${name}`
    const parts: StatedValues = { own: partsOf(own, name), others: partsOf(others, name) }
    if (parts.own.length + parts.others.length === 0) {
      context.merged.missing.push(fieldPath)
      continue
    }
    if (parts.own.length === 0) context.merged.borrowed.push(fieldPath)
    const part = mergeValue(context, field, parts, fieldPath)
    if (part !== undefined) define(value, name, part)
  }
  return Object.keys(value).length === 0 ? undefined : value
}

function partsOf(stated: readonly StatedValue[], name: string): StatedValue[] {
  return stated.flatMap(({ page, value, path }) => {
    const part = propertyOf(value, name)
    return part === undefined ? [] : { page, value: part, path: path === '' ? name : `${path}.${name}` }
  })
}

function propertyOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined
}

/** Separates pages with another name, so that the price of one product is not combined with the title of another. */
function pagesAboutSameEntity(
  context: MergeContext,
  spec: ObjectSpec,
  { own, others }: StatedValues,
): StatedValues {
  const relevantValues = own.length > 0 ? own : others
  const name = namingField(spec, relevantValues)
  if (name === undefined) return { own, others }
  const [chosen] = groupValues(context, partsOf(relevantValues, name))
  const key = valueKey(chosen?.value)
  const hasChosenName = ({ value }: StatedValue) => {
    const statedName = propertyOf(value, name)
    return statedName === undefined || valueKey(statedName) === key
  }
  const sameEntity = relevantValues.filter(hasChosenName)
  const otherEntities = relevantValues.filter((statedValue) => !hasChosenName(statedValue))
  return own.length > 0
    ? { own: sameEntity, others: [...otherEntities, ...others] }
    : { own: [], others: sameEntity }
}

function namingField(spec: ObjectSpec, stated: readonly StatedValue[]): string | undefined {
  const fields = [...spec.fields]
    .filter(([, field]) => field.kind !== 'object' && field.kind !== 'list')
    .map(([name]) => name)
  const isStated = (name: string) => stated.some(({ value }) => propertyOf(value, name) !== undefined)
  const findField = (strength: 1 | 2) =>
    fields.find((name) => identifierStrength(name) === strength && isStated(name))
  return findField(2) ?? findField(1)
}

interface Group {
  value: unknown
  stated: StatedValue[]
  doubt: number
  evidence: PageValues['evidence'][string] | undefined
}

/** Factor on the trust of each page, so that repeated values remain doubtful. */
const trustFactor = 0.9
const maxConflicts = 200

/** Returns the value with the most support; of other entities only if no page about this entity has a value. */
function chooseValue(context: MergeContext, { own, others }: StatedValues, path: string): unknown {
  const groups = groupValues(context, own.length > 0 ? own : others)
  const [chosen, ...rest] = groups
  if (!chosen) return undefined
  addSources(context, path, chosen.stated)
  const otherGroups = own.length > 0 ? groupValues(context, others) : []
  const key = valueKey(chosen.value)
  const conflictingGroups = [...rest, ...otherGroups].filter(({ value }) => valueKey(value) !== key)
  if (conflictingGroups.length > 0) addConflict(context, path, [chosen, ...conflictingGroups])
  return chosen.value
}

function groupValues(context: MergeContext, stated: readonly StatedValue[]): Group[] {
  const groups = new Map<string, Group>()
  const trust: Partial<Record<string, number>> = trustByReader
  for (const statedValue of stated) {
    const { value } = statedValue
    const key = valueKey(value)
    const evidence = evidenceOf(context, statedValue)
    const group = groups.get(key) ?? { value, stated: [], doubt: 1, evidence }
    group.stated.push(statedValue)
    group.doubt *= 1 - trustFactor * (trust[evidence?.reader ?? ''] ?? unknownTrust)
    groups.set(key, group)
  }
  // The sort is stable, so that the earlier page wins a tie. Support is compared, so that small doubts tie.
  return [...groups.values()].sort((left, right) => 1 - right.doubt - (1 - left.doubt))
}

/** Returns the evidence of a value. For a list of scalars, the evidence is stored for the list. */
function evidenceOf({ pages }: MergeContext, { page, path }: StatedValue) {
  const evidence = pages[page]?.evidence
  return evidence?.[path] ?? evidence?.[path.replace(/\[\d+\]$/, '')]
}

function addSources(context: MergeContext, path: string, stated: readonly StatedValue[]): void {
  const { merged, pages } = context
  if (context.remainingSources <= 0) {
    merged.unlisted.sources += 1
    return
  }
  context.remainingSources -= 1
  define(merged.sources, path === '' ? 'value' : path, urlsOf(pages, stated))
}

function addConflict({ merged, pages }: MergeContext, path: string, groups: readonly Group[]): void {
  if (merged.conflicts.length >= maxConflicts) {
    merged.unlisted.conflicts += 1
    return
  }
  const values = groups.map(({ value, stated, evidence }): Conflict['values'][number] => ({
    value,
    sources: urlsOf(pages, stated),
    ...(evidence && { reader: evidence.reader, text: evidence.text }),
  }))
  merged.conflicts.push({ path, chosen: groups[0]?.value, values })
}

function urlsOf(pages: MergeContext['pages'], stated: readonly StatedValue[]): string[] {
  return [...new Set(stated.flatMap(({ page }) => pages[page]?.url ?? []))]
}

/** Joins the lists of several pages in page order; entries of several pages are merged. */
function joinEntries(context: MergeContext, spec: ListSpec, lists: readonly StatedValue[], path: string) {
  const maxGroups = Math.min(context.remainingEntries, spec.maxItems)
  const entryGroups = groupEntries(context, spec.item, lists, maxGroups)
  context.remainingEntries -= entryGroups.length
  const mergedEntries: unknown[] = []
  for (const entry of entryGroups) {
    const missing = context.merged.missing.length
    const entryPath = `${path}[${mergedEntries.length}]`
    const value = mergeValue(context, spec.item, { own: entry, others: [] }, entryPath)
    // Fields that a single entry lacks are not reported as missing.
    context.merged.missing.length = missing
    if (value !== undefined) mergedEntries.push(value)
  }
  return mergedEntries.length === 0 ? undefined : mergedEntries
}

function groupEntries(
  context: MergeContext,
  spec: FieldSpec,
  lists: readonly StatedValue[],
  maxGroups: number,
) {
  const groups: StatedValue[][] = []
  const byKey = new Map<string, StatedValue[][]>()
  const entries = lists.flatMap(({ page, value, path }): StatedValue[] =>
    Array.isArray(value)
      ? value.map((entry, index) => ({ page, value: entry, path: `${path}[${index}]` }))
      : [],
  )
  for (const entry of entries) {
    const { key, isCertain } = entryKey(spec, entry.value)
    const sameKeyGroups = byKey.get(key) ?? []
    const group = sameKeyGroups
      .slice(0, maxComparedGroups)
      .find((candidate) => belongsToGroup(candidate, entry, isCertain))
    if (group) group.push(entry)
    else if (groups.length >= maxGroups) context.merged.leftOut += 1
    else {
      const newGroup = [entry]
      groups.push(newGroup)
      sameKeyGroups.push(newGroup)
      byKey.set(key, sameKeyGroups)
    }
  }
  return groups
}

const maxComparedGroups = 20

/** Returns the key of an entry: its id, URL or complete value, which are certain, or its name, which is not. */
function entryKey(spec: FieldSpec, value: unknown): { key: string; isCertain: boolean } {
  if (spec.kind !== 'object' || !isObject(value)) return { key: valueKey(value), isCertain: true }
  const id = fieldOf(spec, value, (name) => identifierStrength(name) === 2 || isUrlField(name))
  if (id !== undefined) return { key: id, isCertain: true }
  const name = fieldOf(spec, value, (field) => identifierStrength(field) === 1)
  if (name !== undefined) return { key: name, isCertain: false }
  return { key: JSON.stringify(value), isCertain: true }
}

const isUrlField = (name: string) => /^(?:url|link|href|permalink)$/i.test(name)

function fieldOf(spec: ObjectSpec, value: Record<string, unknown>, isKey: (name: string) => boolean) {
  for (const name of spec.fields.keys())
    if (isKey(name) && propertyOf(value, name) !== undefined) return `${name} ${valueKey(value[name])}`
  return undefined
}

/**
 * Two entries of one page are different entities, except identical ones with a certain key. With an uncertain
 * key, all shared scalar fields must be equal.
 */
function belongsToGroup(group: readonly StatedValue[], entry: StatedValue, isCertain: boolean): boolean {
  const [first] = group
  if (!first) return false
  const isSamePage = group.some(({ page }) => page === entry.page)
  if (isCertain) return !isSamePage || valueKey(first.value) === valueKey(entry.value)
  return !isSamePage && group.every((statedValue) => hasEqualFields(statedValue.value, entry.value))
}

function hasEqualFields(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return valueKey(left) === valueKey(right)
  return Object.entries(left).every(
    ([name, value]) =>
      !Object.hasOwn(right, name) || typeof value === 'object' || valueKey(value) === valueKey(right[name]),
  )
}

/** A text is compared without case, punctuation and whitespace, but with symbols that distinguish names: C++, C#. */
function valueKey(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null'
  const text = value.slice(0, maxComparedLength).normalize('NFKC').toLowerCase()
  const words = text.replace(/[^\p{L}\p{N}+#@%&$€£¥°]+/gu, ' ').trim()
  // A text without any of these characters, such as a rating in stars, is compared unchanged.
  return `"${words === '' ? text.trim() : words}`
}

const maxComparedLength = 2000

const unknownTrust = 0.5

function identifierStrength(field: string): 0 | 1 | 2 {
  const name = field.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (idNames.test(name)) return 2
  return titleNames.test(name) ? 1 : 0
}

const idNames =
  /^(?:id|sku|gtin\d*|ean|isbn\d*|mpn|doi|uuid|asin|(?:product|item|order|job|article)(?:id|number))$/
const titleNames =
  /^(?:name|title|headline|(?:product|company|item|job|event|article|book|full)(?:name|title))$/
