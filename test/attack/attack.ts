import { appendFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'

/** `npm run attack` sends every vector; `npm test` a sample, spread over all of them. */
export const isWhole = process.env.ATTACK === 'whole'

export interface AttackClass<Vector> {
  /** As it stands in the table: what is attacked, and how. */
  name: string
  vectors: readonly Vector[]
  /** How many of them the short form sends. */
  short?: number
  /** Sends one vector. What it did to the service or to others, in words; undefined: it did no harm. */
  strike: (vector: Vector) => Promise<string | undefined>
  /** Vectors that are under way at the same time. */
  atOnce?: number
  timeout?: number
}

/** One test per class: every vector is sent, and none may hit. */
export function attackClass<Vector>({
  name,
  vectors,
  short,
  strike,
  atOnce = 1,
  timeout,
}: AttackClass<Vector>) {
  it(`holds against ${name}`, { timeout: timeout ?? (isWhole ? 600_000 : 150_000) }, async () => {
    const sent = isWhole ? vectors : spread(vectors, short ?? vectors.length)
    const hits: string[] = []
    const rest = sent.values()
    const line = async () => {
      for (const vector of rest) {
        const harm = await strike(vector)
        if (harm !== undefined) hits.push(`${describe(vector)}: ${harm}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, line))
    noteInTable({ name, vectors: sent.length, hits: hits.length })
    expect(hits).toEqual([])
  })
}

export interface TableRow {
  name: string
  vectors: number
  hits: number
}

/** For attacks that are tests of their own; those of `attackClass` are noted by themselves. */
export function noteInTable(row: TableRow): void {
  appendFileSync(inject('attackTable'), `${JSON.stringify(row)}\n`)
}

/** As many as are wanted, from everywhere in the list, and the same ones in every run. */
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

/** A machine that is busy makes every call slow; a loop that stands still is silent for as long as the attack takes. */
export const isSilent = ({ silence, took }: { silence: number; took: number }) =>
  silence > 1000 && silence > took / 2
