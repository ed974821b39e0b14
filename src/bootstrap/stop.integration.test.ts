import { describe, expect, it } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { type StopParts, stopService } from './stop.ts'

/** Creates parts that record when they are stopped; the named one fails. */
function createParts(failingPart = '') {
  const steps: string[] = []
  const stop = (name: string) => async () => {
    steps.push(name)
    if (name === failingPart) throw new Error('on purpose')
  }
  const recordStep = (name: string) => () => void steps.push(name)
  const parts: StopParts = {
    log: { ...silentLog, warn: (_, message) => void steps.push(message) },
    server: { stop: stop('server') },
    work: {
      runner: {
        stop: async (_, options) => void steps.push(options?.isCrash ? 'runner after a crash' : 'runner'),
      },
      deliverer: { stop: stop('deliverer') },
      cleaners: [{ stop: recordStep('cleaner') }],
    },
    app: { sessions: { stop: stop('sessions') }, settled: stop('cache') },
    readers: { converter: { stop: recordStep('converter') }, reader: { stop: stop('reader') } },
    search: {
      indexing: { stop: stop('search') },
      model: { stop: recordStep('sentence model') },
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
    stopTimers: [recordStep('clock'), recordStep('leases')],
    releaseResources: [recordStep('lock'), recordStep('folder')],
  }
  return { parts, steps }
}

const order = [
  ...['cleaner', 'server', 'sessions', 'runner', 'deliverer', 'cache', 'clock', 'leases', 'converter'],
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

describe('stopService()', () => {
  it('stops work before its dependencies, and releases the lock and the folder last', async () => {
    const { parts, steps } = createParts()
    await stopService(parts, 1000)
    expect(steps).toEqual(order)
  })

  it.each(['server', 'cache', 'browser', 'peers', 'store'])(
    'continues if the part %s fails',
    async (part) => {
      const { parts, steps } = createParts(part)
      await stopService(parts, 1000)
      const failureMessage = 'a part did not stop cleanly'
      expect(steps).toContain(failureMessage)
      expect(steps.filter((step) => step !== failureMessage)).toEqual(order)
    },
  )

  it('passes a crash to the runner, and works without browser, runner and deliverer', async () => {
    const crashed = createParts()
    await stopService(crashed.parts, 1000, { isCrash: true })
    expect(crashed.steps).toContain('runner after a crash')
    const idle = createParts()
    const work = { ...idle.parts.work, runner: undefined, deliverer: undefined }
    await stopService({ ...idle.parts, browser: undefined, work }, 1000)
    expect(idle.steps).toEqual(order.filter((step) => !['runner', 'deliverer', 'browser'].includes(step)))
  })
})
