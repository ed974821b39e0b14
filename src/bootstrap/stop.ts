import type { Log } from '../platform/log.ts'

const partTimeoutMs = 2000

type Stoppable = { stop(): Promise<unknown> }
type Closable = { close(): Promise<unknown> }

export interface StopParts {
  log: Log
  server: { stop(withinMs: number): Promise<void> }
  work: {
    runner: { stop(withinMs: number, options?: { isCrash: boolean }): Promise<void> } | undefined
    deliverer: { stop(withinMs: number): Promise<void> } | undefined
    cleaners: { stop(): void }[]
  }
  app: { sessions: Stoppable; settled(): Promise<unknown> }
  readers: { converter: { stop(): void }; reader: Stoppable }
  search: { indexing: Stoppable; client: Closable; model: { stop(): void } | undefined }
  browser: Stoppable | undefined
  network: Record<'client' | 'peers' | 'poster' | 'egress', Closable>
  store: Closable
  telemetry: Stoppable
  /** Functions that stop timers, subscriptions and leases. They are called after all running work has ended. */
  stopTimers: (() => void)[]
  releaseResources: (() => void)[]
}

export async function stopService(
  parts: StopParts,
  withinMs: number,
  options?: { isCrash: boolean },
): Promise<void> {
  const { server, work, app, readers, browser, network, store } = parts
  for (const cleaner of work.cleaners) cleaner.stop()
  const step = createStopStep(parts.log)
  await Promise.all([
    step('server', withinMs, () => server.stop(withinMs)),
    step('sessions', withinMs, () => app.sessions.stop()),
    step('runner', withinMs, () => work.runner?.stop(withinMs, options)),
    step('deliverer', withinMs, () => work.deliverer?.stop(withinMs)),
  ])
  await step('cache', partTimeoutMs, () => app.settled())
  for (const stop of parts.stopTimers) stop()
  readers.converter.stop()
  await step('reader', partTimeoutMs, () => readers.reader.stop())
  await step('search', partTimeoutMs, () => parts.search.indexing.stop())
  parts.search.model?.stop()
  await step('browser', partTimeoutMs, () => browser?.stop())
  for (const part of [parts.search.client, network.client, network.peers, network.poster, network.egress])
    await step('network', partTimeoutMs, () => part.close())
  await step('store', partTimeoutMs, () => store.close())
  await step('telemetry', partTimeoutMs, () => parts.telemetry.stop())
  for (const release of parts.releaseResources) release()
}

/** A part that cannot stop must not prevent the others or the process from stopping. */
function createStopStep(log: Log) {
  return async (part: string, withinMs: number, stop: () => Promise<unknown> | undefined): Promise<void> => {
    const timedOut = Symbol('late')
    const { promise, resolve } = Promise.withResolvers<typeof timedOut>()
    // A part should respect its time limit itself; this handles one that does not.
    const timer = setTimeout(resolve, withinMs + 3000, timedOut)
    try {
      const outcome = await Promise.race([Promise.resolve(stop()), promise])
      if (outcome === timedOut) log.warn({ part }, 'a part did not stop in time')
    } catch (cause) {
      log.warn({ part, cause }, 'a part did not stop cleanly')
    } finally {
      clearTimeout(timer)
    }
  }
}
