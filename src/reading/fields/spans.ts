import { coerce } from '../values/coerce.ts'
import type { Found } from './found.ts'
import type { PageContext } from './page-context.ts'
import type { Slot } from './slots.ts'

/** The end of a span of time whose beginning was read: "12–14 June 2026". */
export function addEnds(found: Map<string, Found>, slots: readonly Slot[], page: PageContext): void {
  const start = slots.find(({ names, path }) => names.concept === 'startDate' && found.has(path))
  const said = start && found.get(start.path)
  if (!said) return
  for (const { spec, names, path } of slots) {
    if (names.concept !== 'endDate' || spec.kind === 'list' || found.has(path)) continue
    const value = coerce(spec, said.text, { ...page, ...names })
    if (value !== undefined && value !== said.value)
      found.set(path, { ...said, value, score: said.score * 0.9 })
  }
}
