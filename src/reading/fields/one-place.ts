import type { Found } from './found.ts'
import type { Slot } from './slots.ts'

/** A number in one place is the value of one field: of the one that it is surest of. */
export function dropRepeated(found: Map<string, Found>, slots: readonly Slot[]): void {
  dropGuesses(found, slots)
  const places = new Map<string, { slot: Slot; value: Found }>()
  for (const slot of slots) {
    const value = found.get(slot.path)
    if (!value || value.node === undefined || typeof value.value !== 'number' || slot.names.bound) continue
    const key = `${value.node} ${value.value}`
    const known = places.get(key)
    if (!known) places.set(key, { slot, value })
    else if (isSurer(slot, value, known)) {
      found.delete(known.slot.path)
      places.set(key, { slot, value })
    } else if (known.slot.names.concept !== slot.names.concept || !isSame(known.slot, slot))
      found.delete(slot.path)
  }
}

function isSurer(slot: Slot, value: Found, known: { slot: Slot; value: Found }): boolean {
  return (
    value.score > known.value.score ||
    (value.score === known.value.score && slot.names.own.length < known.slot.names.own.length)
  )
}

/** Whether both are called alike, so that the schema asks for one value twice. */
const isSame = (one: Slot, other: Slot) => one.names.own.join(' ') === other.names.own.join(' ')

const leastNamed = 0.6
const mostGuess = 0.52

/** A number that was guessed by its look is no value where the page calls it something else. */
function dropGuesses(found: Map<string, Found>, slots: readonly Slot[]): void {
  const named = new Map<number, string>()
  for (const { path } of slots) {
    const value = found.get(path)
    if (value?.node !== undefined && value.reader === 'label' && value.score >= leastNamed)
      named.set(value.node, path)
  }
  for (const { path } of slots) {
    const value = found.get(path)
    if (value?.node === undefined || typeof value.value !== 'number' || value.score > mostGuess) continue
    if (named.has(value.node)) found.delete(path)
  }
}
