import { define } from '../fields/from-things.ts'
import type { Conflict, Merging, Said, Stated } from './merging.ts'
import { trustIn, valueKey } from './same-value.ts'

/** Those who say the same. */
interface Group {
  value: unknown
  stated: Stated[]
  /** From 0 to 1: how sure all of them together are. */
  support: number
  reader: string | undefined
  text: string | undefined
}

/** Pages that repeat each other are never quite sure. */
const shareOfTrust = 0.9
const mostConflicts = 200

/**
 * One value of those that pages state: the one with the most support, and of two with as much the one that comes first. Pages about
 * something else are asked only where the others say nothing; what they say is a conflict all the same.
 */
export function decide(work: Merging, { own, others }: Said, path: string): unknown {
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
export function grouped(work: Merging, stated: readonly Stated[]): Group[] {
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
function evidenceOf({ pages }: Merging, { page, path }: Stated) {
  const evidence = pages[page]?.evidence
  return evidence?.[path] ?? evidence?.[path.replace(/\[\d+\]$/, '')]
}

function noteSources(work: Merging, path: string, stated: readonly Stated[]): void {
  const { merged, pages } = work
  if (work.sourceRoom <= 0) {
    merged.unlisted.sources += 1
    return
  }
  work.sourceRoom -= 1
  define(merged.sources, path === '' ? 'value' : path, urlsOf(pages, stated))
}

function noteConflict({ merged, pages }: Merging, path: string, groups: readonly Group[]): void {
  if (merged.conflicts.length >= mostConflicts) {
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

function urlsOf(pages: Merging['pages'], stated: readonly Stated[]): string[] {
  return [...new Set(stated.flatMap(({ page }) => pages[page]?.url ?? []))]
}
