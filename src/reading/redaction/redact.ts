import { findCards, findIbans } from './accounts.ts'
import { findEmails } from './emails.ts'
import type { Entity, Finder, Found, RedactionMode } from './found.ts'
import { findIdentityNumbers } from './identity-numbers.ts'
import { findMachines } from './machines.ts'
import { findPhones } from './phones.ts'
import { findSecrets } from './secrets.ts'

/** What a found place is replaced by: the name of its kind, as many blocks as it had characters, or nothing. */
export const replaceStyles = ['tag', 'mask', 'remove'] as const
export type ReplaceStyle = (typeof replaceStyles)[number]

export interface Redaction {
  mode: RedactionMode
  entities: readonly Entity[]
  replaceStyle: ReplaceStyle
}

export interface Redacted {
  text: string
  /** What was replaced, in order: its place in the text before, and how long what stands there now is. */
  replaced: { start: number; end: number; length: number }[]
}

/** In the order of trust: of two that meet, the first is taken. */
const finders: { entities: readonly Entity[]; find: Finder }[] = [
  { entities: ['SECRET'], find: findSecrets },
  { entities: ['EMAIL'], find: findEmails },
  { entities: ['FINANCIAL'], find: findIbans },
  { entities: ['FINANCIAL'], find: findCards },
  { entities: ['FINANCIAL'], find: findIdentityNumbers },
  { entities: ['LOCATION'], find: findMachines },
  { entities: ['PHONE'], find: findPhones },
]

/** A text without the personal data that patterns and checksums find. In linear time. */
export function redact(text: string, { mode, entities, replaceStyle }: Redaction): Redacted {
  const found = finders
    .filter((finder) => finder.entities.some((entity) => entities.includes(entity)))
    .flatMap(({ find }, trust) => find(text, mode).map((one) => ({ ...one, trust })))
  const parts: string[] = []
  const replaced: Redacted['replaced'] = []
  let at = 0
  for (const one of withoutOverlaps(found)) {
    const instead = replacement(one, replaceStyle)
    const isBetweenSpaces = instead === '' && text[one.start - 1] === ' ' && text[one.end] === ' '
    const start = isBetweenSpaces && one.start > at ? one.start - 1 : one.start
    parts.push(text.slice(at, start), instead)
    replaced.push({ start, end: one.end, length: instead.length })
    at = one.end
  }
  parts.push(text.slice(at))
  return { text: parts.join(''), replaced }
}

function replacement({ start, end, entity }: Found, style: ReplaceStyle): string {
  // Stars would be read as marks of Markdown.
  return style === 'tag' ? `<${entity}>` : style === 'mask' ? '█'.repeat(end - start) : ''
}

/** In order; of places that meet, the one that is trusted most, then the longest. */
function withoutOverlaps(found: (Found & { trust: number })[]): Found[] {
  const byTrust = found.sort(
    (one, other) => one.start - other.start || one.trust - other.trust || other.end - one.end,
  )
  const kept: (Found & { trust: number })[] = []
  for (const one of byTrust) {
    const last = kept.at(-1)
    if (!last || one.start >= last.end) kept.push(one)
    else if (one.trust < last.trust)
      kept[kept.length - 1] = { ...one, start: last.start, end: Math.max(one.end, last.end) }
    else last.end = Math.max(last.end, one.end)
  }
  return kept
}

/** Where positions in the text before are now, in order; one inside what was replaced moves to its beginning. */
export function movedPositions<Position extends { at: number }>(
  positions: readonly Position[],
  replaced: Redacted['replaced'],
): Position[] {
  let [next, shift] = [0, 0]
  return positions.map((position) => {
    for (let one = replaced[next]; one && one.end <= position.at; one = replaced[next]) {
      shift += one.length - (one.end - one.start)
      next += 1
    }
    return { ...position, at: Math.min(position.at, replaced[next]?.start ?? position.at) + shift }
  })
}
