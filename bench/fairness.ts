import { measureBackground } from './fairness/background.ts'
import {
  backgroundPages,
  converters,
  deliveries,
  egressSockets,
  type Pool,
  readerThreads,
  recognisers,
} from './fairness/pools.ts'
import { median, type Scene, startScene, times } from './fairness/scene.ts'
import { atMost, type Figure, plain } from './figure.ts'

/** Everything that teams share. A pool that is added to the service is added here. */
const pools: Pool[] = [converters, recognisers, readerThreads, backgroundPages, deliveries, egressSockets]

/** What one team can do to another: each shared pool is filled by one in the worst way, beside small calls of the other. */
export async function measure(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const pool of pools) {
    const scene = await startScene({ TEAM_CONCURRENCY: '64' })
    try {
      figures.push(...(await measurePool(scene, pool)))
    } finally {
      await scene.stop()
    }
  }
  return [...figures, ...(await measureBackground())]
}

async function measurePool(scene: Scene, pool: Pool): Promise<Figure[]> {
  const small = () => times(() => pool.small(scene), { forMs: 3000, pause: 20, atLeast: 5 })
  // The first calls start what the others use.
  await times(() => pool.small(scene), { forMs: 0, pause: 20, atLeast: 3 })
  const quiet = median(await small())
  const empty = await pool.fill(scene)
  const beside = median(await small())
  await empty()
  return [
    plain(`${pool.name}: quiet`, quiet, 'ms'),
    atMost(`${pool.name}: beside`, beside / quiet, 3, 'times'),
  ]
}
