import { coerce } from '../values/coerce.ts'
import { type PostalAddress, readPostalAddress } from '../values/postal-address.ts'
import type { Found } from './found.ts'
import type { Line, Lines } from './lines.ts'
import type { PageContext } from './page-context.ts'
import type { Slot } from './slots.ts'

/** The form of an address is seldom that of anything else. */
const score = 0.8
const leastWeight = 0.6
const mostLines = 1500
const longestLine = 120
const concepts: Record<string, keyof PostalAddress> = {
  ...{ street: 'street', city: 'city', region: 'region', postalCode: 'postalCode' },
}

/** The parts of an address that stands in one line, or in two lines one below the other. */
export function readAddresses({ list }: Lines, slots: readonly Slot[], page: PageContext): Map<Slot, Found> {
  const found = new Map<Slot, Found>()
  const groups = Map.groupBy(
    slots.filter(({ names }) => names.concept !== undefined && names.concept in concepts),
    ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.'))),
  )
  const whole = slots.filter(({ names, spec }) => names.concept === 'address' && spec.kind === 'text')
  const [only] = whole
  if (only && whole.length === 1) offerWhole(found, only, list, page)
  const wanted = [...groups.values()].filter((group) => group.length > 1)
  // Of two addresses nothing says which is whose.
  if (wanted.length !== 1) return found
  const first = firstAddress(list)
  if (!first) return found
  for (const group of wanted) {
    for (const slot of group) {
      const text = first.address[concepts[slot.names.concept ?? ''] ?? 'city']
      if (text === undefined || slot.spec.kind === 'list') continue
      const value = coerce(slot.spec, text, { ...page, ...slot.names })
      if (value === undefined) continue
      found.set(slot, { value, text: first.text, node: first.line.first, reader: 'label', score })
    }
  }
  return found
}

const scoreOfWhole = 0.5

/** The only address of the page, in full. */
function offerWhole(found: Map<Slot, Found>, slot: Slot, list: readonly Line[], page: PageContext): void {
  const all = list
    .slice(0, mostLines)
    .filter(({ text, weight }) => weight >= leastOfWhole && text.length <= longestLine && /\d/.test(text))
    .filter(({ text }) => readPostalAddress(text)?.street !== undefined)
  const [first] = all
  if (!first || slot.spec.kind === 'list' || all.some(({ text }) => text !== first.text)) return
  const value = coerce(slot.spec, first.text, { ...page, ...slot.names })
  if (value === undefined) return
  found.set(slot, { value, text: first.text, node: first.first, reader: 'label', score: scoreOfWhole })
}

const leastOfWhole = 0.9

function firstAddress(
  list: readonly Line[],
): { address: PostalAddress; line: Line; text: string } | undefined {
  for (const [at, line] of list.slice(0, mostLines).entries()) {
    if (line.weight < leastWeight || line.text.length > longestLine || !/\d/.test(line.text)) continue
    const next = list[at + 1]
    const below =
      next && next.text.length <= longestLine ? `${line.text.replace(/,$/, '')}, ${next.text}` : ''
    for (const text of [line.text, below]) {
      const address = text === '' ? undefined : readPostalAddress(text)
      if (address) return { address, line, text }
    }
  }
  return undefined
}
