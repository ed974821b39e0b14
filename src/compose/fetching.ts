import type { Clock } from '../base/clock.ts'
import { engineMemory } from '../engine/engine-memory.ts'
import type { RunTask } from '../engine/engines/carry-out.ts'
import { engines } from '../engine/engines/index.ts'
import type { FetchNeeds } from '../engine/fetch-page.ts'
import type { FetchPlan, ProxyTier } from '../engine/fetch-plan.ts'
import type { PageReader } from '../page-threads/page-reader.ts'
import type { Settings } from '../settings.ts'
import type { ScrapeBrowser } from './browser.ts'
import type { Network } from './network.ts'

interface FetchParts {
  clock: Clock
  network: Pick<Network, 'client' | 'egress' | 'guard'>
  browser: ScrapeBrowser | undefined
  reader: PageReader
  runTask: RunTask | undefined
}

/** The engines that turn a fetch plan into a page, and the ways they may use. */
export function openFetching(
  settings: Pick<Settings, 'proxies'>,
  { clock, network, browser, reader, runTask }: FetchParts,
): FetchNeeds {
  const { client, egress, guard } = network
  return {
    engines: engines({ client, clock, chromium: browser && { ...browser, egress, guard, clock, runTask } }),
    memory: engineMemory(clock.now),
    reader,
    tiers: (plan) => ({
      basic: proxyTier('basic', settings, plan),
      enhanced: proxyTier('enhanced', settings, plan),
    }),
  }
}

export function proxyTier(
  name: ProxyTier['name'],
  { proxies }: Pick<Settings, 'proxies'>,
  plan: Pick<FetchPlan, 'country'>,
): ProxyTier {
  const country = (plan.country ?? 'us').toLowerCase()
  const text = proxies[name]?.replaceAll('{country}', country)
  const upstream = text === undefined ? undefined : new URL(text)
  return { name, upstream, asBrowser: name === 'enhanced' }
}
