import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, temporaryFolder } from '../test/service.ts'
import { atMost, type Figure, figure, median } from './figure.ts'
import { processorMs } from './processor.ts'

/** Time within which an idle process releases memory. */
const idleReleaseMs = 45_000

/** Measures the time until a second start is ready, and the memory of an idle process. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const environment = { DATA_DIR: folder.path, LOG_LEVEL: 'warn', CHECK_RESPONSES: 'off' }
  const first = await startOnce(environment)
  await first.service.stop()
  const times: number[] = []
  const processorTimes: number[] = []
  let resident = 0
  for (let run = 0; run < 5; run += 1) {
    const { service, ms } = await startOnce(environment)
    times.push(ms)
    processorTimes.push(processorMs(service.process.pid ?? 0))
    if (run === 4) {
      await sleep(idleReleaseMs)
      resident = residentMegabytes(service.process.pid ?? 0)
    }
    await service.stop()
  }
  folder.remove()
  return [
    figure('first start, until ready', first.ms, 'ms'),
    atMost('second start, until ready (median of 5)', median(times), 2000, 'ms'),
    figure('CPU until then, all threads (median of 5)', median(processorTimes), 'ms'),
    atMost('resident memory when idle, no browser', resident, 150, 'MB'),
  ]
}

async function startOnce(environment: Record<string, string>) {
  const startedAt = performance.now()
  const service = await startService(environment)
  const ready = await fetch(`${service.url}/health/ready`)
  if (ready.status !== 200) throw new Error('The service is not ready.')
  return { service, ms: performance.now() - startedAt }
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
