import { describe, expect, it } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { type StopParts, stopService } from './stop.ts'

/** Parts that say when they are stopped; the named one fails. */
function scene(failing = '') {
  const steps: string[] = []
  const stop = (name: string) => async () => {
    steps.push(name)
    if (name === failing) throw new Error('on purpose')
  }
  const now = (name: string) => () => void steps.push(name)
  const parts: StopParts = {
    log: { ...silentLog, warn: (_, message) => void steps.push(message) },
    server: { stop: stop('server') },
    work: {
      runner: { stop: async (_, how) => void steps.push(how?.isCrash ? 'runner after a crash' : 'runner') },
      deliverer: { stop: stop('deliverer') },
      keepers: [{ stop: now('keeper') }],
    },
    app: { sessions: { stop: stop('sessions') }, settled: stop('cache') },
    readers: { converter: { stop: now('converter') }, reader: { stop: stop('reader') } },
    search: {
      indexing: { stop: stop('search') },
      model: { stop: now('sentence model') },
      client: { close: async () => {} },
    },
    browser: { stop: stop('browser') },
    network: {
      client: { close: stop('client') },
      peers: { close: stop('peers') },
      poster: { close: stop('poster') },
      egress: { close: stop('egress') },
    },
    store: { close: stop('store') },
    telemetry: { stop: stop('telemetry') },
    tickers: [now('clock'), now('leases')],
    holds: [now('lock'), now('folder')],
  }
  return { parts, steps }
}

const order = [
  ...['keeper', 'server', 'sessions', 'runner', 'deliverer', 'cache', 'clock', 'leases', 'converter'],
  ...[
    'reader',
    'search',
    'sentence model',
    'browser',
    'client',
    'peers',
    'poster',
    'egress',
    'store',
    'telemetry',
    'lock',
    'folder',
  ],
]

describe('the stop of a service', () => {
  it('ends work before what it stands on, and lets go of its place last', async () => {
    const { parts, steps } = scene()
    await stopService(parts, 1000)
    expect(steps).toEqual(order)
  })

  it.each(['server', 'cache', 'browser', 'peers', 'store'])('goes on when this fails: %s', async (part) => {
    const { parts, steps } = scene(part)
    await stopService(parts, 1000)
    const trouble = 'a part did not stop cleanly'
    expect(steps).toContain(trouble)
    expect(steps.filter((step) => step !== trouble)).toEqual(order)
  })

  it('tells the runner of a crash, and needs neither a browser nor anybody who works', async () => {
    const crashed = scene()
    await stopService(crashed.parts, 1000, { isCrash: true })
    expect(crashed.steps).toContain('runner after a crash')
    const idle = scene()
    const work = { ...idle.parts.work, runner: undefined, deliverer: undefined }
    await stopService({ ...idle.parts, browser: undefined, work }, 1000)
    expect(idle.steps).toEqual(order.filter((step) => !['runner', 'deliverer', 'browser'].includes(step)))
  })
})
