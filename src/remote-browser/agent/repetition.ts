import { createHash } from 'node:crypto'

/** Counts how often the same step was done on the same page; a change of the page resets the count. */
export function createRepetition(): (call: { name: string; arguments: object }, outline: string) => number {
  const counts = new Map<string, number>()
  return (call, outline) => {
    // The focus does not count as a change.
    const text = JSON.stringify([call.name, call.arguments, outline.replaceAll(' [active]', '')])
    const key = createHash('sha256').update(text).digest('base64')
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}
