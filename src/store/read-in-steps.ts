import { setImmediate as nextTurn } from 'node:timers/promises'

export const rowsPerStep = 1000

export interface Step<Position> {
  after: Position | undefined
  to: Position | undefined
}

/** Searches rows in index order for those that match. Yields between steps, because SQLite runs on the main thread. */
export async function readInSteps<Position, Row>(
  { after, limit }: { after: Position | undefined; limit: number },
  findEnd: (after: Position | undefined) => Promise<Position | undefined>,
  read: (step: Step<Position>, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = []
  for (let position = after; ; ) {
    const to = await findEnd(position)
    found.push(...(await read({ after: position, to }, limit - found.length)))
    if (to === undefined || found.length >= limit) return found
    position = to
    await nextTurn()
  }
}
