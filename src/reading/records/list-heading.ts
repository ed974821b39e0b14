import type { Node } from '../../content/tree/tree.ts'
import { namesOf } from '../fields/field-names.ts'
import type { Line, Lines } from '../fields/lines.ts'
import { nearness } from '../fields/near-names.ts'
import type { ListSpec } from '../schema/field-spec.ts'
import { phraseOf, singular } from '../vocabulary/words.ts'
import type { Span } from './groups.ts'

const furthest = 6
const leastHeading = 0.55

/** How surely a heading names a list: 1 for its own name. */
export function headingScore(spec: ListSpec, { words }: Pick<Line, 'words'>): number {
  const names = namesOf(spec)
  const label = words.map(singular)
  const exact = Math.max(names.phrases.get(phraseOf(label)) ?? 0, nearness(names, label))
  const isInside = label.length <= 4 && names.own.every((word) => label.includes(word))
  return Math.max(exact, isInside ? 0.6 : 0)
}

/** How surely the heading above a place names a list; 0 where there is none. */
export function headedAs(spec: ListSpec, { list, before }: Lines, first: Node): number {
  const at = before[first] ?? 0
  // The first line of a table may be its caption.
  for (let line = at; line > at - furthest && line >= 0; line -= 1) {
    const above = list[line]
    if (!above || above.words.length > 6) continue
    const isHeading = above.level > 0 || line === at - 1
    if (isHeading) {
      const score = headingScore(spec, above)
      if (score > 0 || (above.level > 0 && line < at)) return score
    }
  }
  return 0
}

/** Those of several elements that are alike which stand below the heading of the list: the answers, and not the question. */
export function belowHeading(spec: ListSpec, { list, before }: Lines, spans: readonly Span[]): Span[][] {
  for (const [at, { node }] of spans.entries()) {
    const previous = spans[at - 1]
    if (!previous) continue
    const between = list.slice(before[previous.end], before[node])
    if (between.some((line) => line.level > 0 && headingScore(spec, line) >= leastHeading))
      return [spans.slice(at)]
  }
  return []
}
