import type { ObjectSpec } from '../schema/field-spec.ts'
import type { StateThings } from '../structured-data/state-things.ts'
import { isThing, type Thing } from '../structured-data/thing.ts'
import { nameWords, phraseOf, singular, words } from '../vocabulary/words.ts'
import type { Found } from './found.ts'
import type { ThingPlace } from './from-things.ts'
import type { Lines } from './lines.ts'
import { mainHeading } from './main-heading.ts'
import type { PageContext } from './page-context.ts'
import { shownText } from './shown-text.ts'
import { isShown, type ShownValues } from './shown-values.ts'
import type { Slot } from './slots.ts'

const trust = 0.86
/** What the page does not show may belong to something else in its state. */
const unshownTrust = 0.62
const fewestNamed = 2

/** The object in the state of a page that it is about: one whose name is the title, with most of what is asked for. */
export function mainState(
  { state, context, lines }: { state: StateThings; context: PageContext; lines: Lines },
  spec: ObjectSpec,
  slots: readonly Slot[],
): ThingPlace | undefined {
  const node = state.things.length === 0 ? undefined : mainHeading(lines, context.title)
  const heading = node === undefined ? '' : words(shownText(lines.tree, node)).join(' ')
  if (heading === '') return undefined
  const phrases = new Set(slots.flatMap(({ names }) => [...names.phrases.keys()]))
  let best: { thing: Thing; named: number } | undefined
  for (const thing of state.things) {
    const named = namedIn(thing, phrases)
    if (named < Math.min(fewestNamed, spec.fields.size) || (best && named <= best.named)) continue
    if (isSubject(thing, heading)) best = { thing, named }
  }
  return (
    best && { thing: best.thing, path: best.thing.types[0] ?? 'state', reader: 'state', trust, page: context }
  )
}

/** How many of its properties have a name that is asked for, those of inner objects too. */
export function namedIn(thing: Thing, phrases: ReadonlySet<string>, depth = 0): number {
  let named = 0
  for (const [name, values] of thing.properties) {
    if (phrases.has(phraseOf(nameWords(name).map(singular)))) named += 1
    const [first] = values
    if (depth === 0 && values.length === 1 && first !== undefined && isThing(first))
      named += namedIn(first, phrases, 1) * 0.5
  }
  return named
}

/** Whether one of its texts is the heading of the page. */
function isSubject(thing: Thing, heading: string): boolean {
  for (const values of thing.properties.values())
    for (const value of values)
      if (typeof value === 'string' && value.length < 300 && words(value).join(' ') === heading) return true
  return false
}

/** A value of the state as far as the page bears it out; amounts in cents are those that it shows. */
export function grounded(found: Found, shown: () => ShownValues): Found {
  const { value } = found
  if (found.inner || Array.isArray(value)) return found
  const isOnPage = isShown(value, shown())
  if (isOnPage !== false) return found
  const isAmount = typeof value === 'number' && /price|amount|cost|fee/i.test(found.path ?? '')
  if (isAmount && Number.isInteger(value) && isShown(value / 100, shown()))
    return { ...found, value: value / 100 }
  return { ...found, score: found.score * unshownTrust }
}
