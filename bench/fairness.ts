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
import { measureTimes, median, type Scene, startScene } from './fairness/scene.ts'
import { atMost, type Figure, figure } from './figure.ts'

/** Resources that teams share. Add each new shared pool of the service here. */
const pools: Pool[] = [converters, recognisers, readerThreads, backgroundPages, deliveries, egressSockets]

/** Measures small calls of one team, while another team fills each shared pool in the worst way. */
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
  const measureSmallCalls = () =>
    measureTimes(() => pool.runSmallCall(scene), { forMs: 3000, pause: 20, atLeast: 5 })
  // The first calls start resources that later calls use.
  await measureTimes(() => pool.runSmallCall(scene), { forMs: 0, pause: 20, atLeast: 3 })
  const quiet = median(await measureSmallCalls())
  const release = await pool.fill(scene)
  const underLoad = median(await measureSmallCalls())
  await release()
  return [
    figure(`${pool.name}: quiet`, quiet, 'ms'),
    atMost(`${pool.name}: beside`, underLoad / quiet, 3, 'times'),
  ]
}
