import type { App } from '../app.ts'
import type { Log } from '../base/log.ts'
import type { Server } from '../http/server.ts'
import type { ScrapeBrowser } from './browser.ts'
import type { Network } from './network.ts'
import type { Readers } from './readers.ts'
import type { Search } from './search.ts'
import { stopper } from './stopper.ts'
import type { Telemetry } from './telemetry.ts'
import type { Work } from './work.ts'

/** How long each part may take to stop, in addition to the time for running work. */
const patience = 2000

export interface StopParts {
  log: Log
  server: Pick<Server, 'stop'>
  work: {
    runner: Pick<NonNullable<Work['runner']>, 'stop'> | undefined
    deliverer: Work['deliverer']
    keepers: Work['keepers']
  }
  app: { sessions: Pick<App['sessions'], 'stop'>; settled: App['settled'] }
  readers: { converter: Pick<Readers['converter'], 'stop'>; reader: Pick<Readers['reader'], 'stop'> }
  search: { indexing: Pick<Search['indexing'], 'stop'> } & Pick<Search, 'client' | 'model'>
  browser: Pick<ScrapeBrowser, 'stop'> | undefined
  network: { [Part in 'client' | 'peers' | 'poster' | 'egress']: Pick<Network[Part], 'close'> }
  store: { close(): Promise<void> }
  telemetry: Pick<Telemetry, 'stop'>
  /** Clocks, timers and leases: they stop immediately, once no running work needs them. */
  tickers: (() => void)[]
  /** Resources of the process on its machine: released last. */
  holds: (() => void)[]
}

/** Stops accepting calls, lets running work finish within the time, releases leases. */
export async function stopService(
  parts: StopParts,
  withinMs: number,
  how?: { isCrash: boolean },
): Promise<void> {
  const { server, work, app, readers, browser, network, store } = parts
  for (const keeper of work.keepers) keeper.stop()
  const step = stopper(parts.log)
  await Promise.all([
    step('server', withinMs, () => server.stop(withinMs)),
    step('sessions', withinMs, () => app.sessions.stop()),
    step('runner', withinMs, () => work.runner?.stop(withinMs, how)),
    step('deliverer', withinMs, () => work.deliverer?.stop(withinMs)),
  ])
  await step('cache', patience, () => app.settled())
  for (const stop of parts.tickers) stop()
  readers.converter.stop()
  await step('reader', patience, () => readers.reader.stop())
  await step('search', patience, () => parts.search.indexing.stop())
  parts.search.model?.stop()
  await step('browser', patience, () => browser?.stop())
  for (const part of [parts.search.client, network.client, network.peers, network.poster, network.egress])
    await step('network', patience, () => part.close())
  await step('store', patience, () => store.close())
  await step('telemetry', patience, () => parts.telemetry.stop())
  for (const letGo of parts.holds) letGo()
}
