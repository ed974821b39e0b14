import type { Clock } from './clock.ts'

/** Seconds by which two clocks may differ. Programs that set clocks keep them closer. */
const maxSkewSeconds = 5

/**
 * Returns which clocks differ by more than a few seconds, and by how much; undefined if none does. The reference is the clock
 * of the database server or, for a store on this machine, the clock of the machine.
 */
export async function findClockSkew(
  clock: Pick<Clock, 'now'>,
  store: { isShared: boolean; time(): Promise<number> },
): Promise<string | undefined> {
  const reference = store.isShared ? 'the clock of the database server' : 'the clock of this machine'
  const clocks: [string, () => number][] = [
    ['the clock of this service', () => clock.now()],
    ...(store.isShared ? [['the clock of this machine', Date.now] as [string, () => number]] : []),
  ]
  const before = clocks.map(([, now]) => now())
  const time = await store.time()
  const skewed = clocks.flatMap(([name, now], index) => {
    // The reference was read at some moment between the two, so a slow reply is not a difference.
    const [asked, replied] = [before[index] ?? time, now()]
    const seconds = Math.round((time < asked ? asked - time : Math.min(0, replied - time)) / 1000)
    if (Math.abs(seconds) <= maxSkewSeconds) return []
    return [`${name} is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${reference}`]
  })
  return skewed.length === 0 ? undefined : skewed.join('; ')
}
