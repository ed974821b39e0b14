import { appendFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'

/** True for `npm run attack`, which sends every vector. `npm test` sends a sample that is spread over all of them. */
export const isFull = process.env.ATTACK === 'whole'

export interface AttackClass<Vector> {
  /** Target and kind of the attack, as listed in the table. */
  name: string
  vectors: readonly Vector[]
  /** Number of vectors in the short form. */
  short?: number
  /**
   * Sends one vector. Returns a description of the harm to the service or to other teams, or undefined if there was
   * none.
   */
  run: (vector: Vector) => Promise<string | undefined>
  /** Maximum number of concurrent vectors. */
  concurrency?: number
  timeout?: number
}

/** Creates one test per class. The test sends every vector and expects no harm. */
export function attackClass<Vector>({
  name,
  vectors,
  short,
  run: strike,
  concurrency: atOnce = 1,
  timeout,
}: AttackClass<Vector>) {
  it(`withstands ${name}`, { timeout: timeout ?? (isFull ? 600_000 : 150_000) }, async () => {
    const sent = isFull ? vectors : spread(vectors, short ?? vectors.length)
    const hits: string[] = []
    const remaining = sent.values()
    const strikeRemaining = async () => {
      for (const vector of remaining) {
        const harm = await strike(vector)
        if (harm !== undefined) hits.push(`${describe(vector)}: ${harm}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, strikeRemaining))
    addTableRow({ name, vectors: sent.length, hits: hits.length })
    expect(hits).toEqual([])
  })
}

export interface TableRow {
  name: string
  vectors: number
  hits: number
}

/** Adds a row for an attack with its own test. `attackClass` adds its rows itself. */
export function addTableRow(row: TableRow): void {
  appendFileSync(inject('attackTable'), `${JSON.stringify(row)}\n`)
}

/** Returns `count` items at equal distances in the list, the same ones in every run. */
function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (count >= items.length) return items
  return Array.from(
    { length: count },
    (_, index) => items[Math.floor((index * items.length) / count)] as Item,
  )
}

function describe(vector: unknown): string {
  const text = typeof vector === 'string' ? vector : (JSON.stringify(vector) ?? String(vector))
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/**
 * Returns true if the event loop was blocked. A busy machine slows every call, but a blocked loop is silent
 * throughout the attack.
 */
export const wasBlocked = ({ silence, took }: { silence: number; took: number }) =>
  silence > 1000 && silence > took / 2
