import { define } from '../fields/from-things.ts'
import type { FieldSpec, ObjectSpec } from '../schema/field-spec.ts'
import { decide } from './decide.ts'
import { joinEntries } from './join-entries.ts'
import { isObject, type Merged, type Merging, type PageValues, type Said, type Stated } from './merging.ts'
import { sameThing } from './same-thing.ts'

/** Entries of all lists together. */
const mostEntries = 10_000
const mostSources = 5000

/**
 * What several pages say → one value by the same schema. Lists are joined, single values are decided by evidence, and what was
 * not chosen is reported.
 */
export async function mergePages(spec: FieldSpec, pages: readonly PageValues[]): Promise<Merged> {
  const merged: Merged = {
    ...{ value: undefined, sources: {}, conflicts: [], missing: [], borrowed: [], leftOut: 0 },
    unlisted: { conflicts: 0, sources: 0 },
  }
  const work: Merging = { pages, merged, room: mostEntries, sourceRoom: mostSources }
  // Evidence of a list or a value that stands alone is kept under this name.
  const start = spec.kind === 'object' ? '' : 'value'
  const stated = pages.flatMap(({ value }, page): Stated[] =>
    value === undefined || value === null ? [] : [{ page, value, path: start }],
  )
  merged.value = await mergeValue(work, spec, { own: stated, others: [] }, '')
  return merged
}

async function mergeValue(work: Merging, spec: FieldSpec, said: Said, path: string): Promise<unknown> {
  if (spec.kind === 'object') return mergeObject(work, spec, said, path)
  if (spec.kind !== 'list') return decide(work, said, path)
  const lists = said.own.length > 0 ? said.own : said.others
  return joinEntries(work, spec, { lists, path, mergeValue })
}

async function mergeObject(
  work: Merging,
  spec: ObjectSpec,
  said: Said,
  path: string,
): Promise<Record<string, unknown> | undefined> {
  const { own, others } = sameThing(work, spec, said)
  const value: Record<string, unknown> = {}
  for (const [name, field] of spec.fields) {
    const at = path === '' ? name : `${path}.${name}`
    const parts: Said = { own: partsOf(own, name), others: partsOf(others, name) }
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

function partsOf(stated: Stated[], name: string): Stated[] {
  return stated.flatMap(({ page, value, path }): Stated[] => {
    if (!isObject(value) || !Object.hasOwn(value, name)) return []
    const part = value[name]
    if (part === undefined || part === null) return []
    return [{ page, value: part, path: path === '' ? name : `${path}.${name}` }]
  })
}
