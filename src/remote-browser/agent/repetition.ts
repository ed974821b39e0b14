import { createHash } from 'node:crypto'

/** Counts how often the same thing was done on the same page; one that changes in between starts anew. */
export function createRepetition(): (call: { name: string; arguments: object }, outline: string) => number {
  const counts = new Map<string, number>()
  return (call, outline) => {
    // Where the focus is does not make it another page.
    const text = JSON.stringify([call.name, call.arguments, outline.replaceAll(' [active]', '')])
    const key = createHash('sha256').update(text).digest('base64')
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}
