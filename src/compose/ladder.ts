import type { Clock } from '../base/clock.ts'
import { engineMemory } from '../engine/engine-memory.ts'
import { engines } from '../engine/engines/index.ts'
import type { LadderNeeds } from '../engine/fetch-page.ts'
import type { FetchPlan, Way } from '../engine/fetch-plan.ts'
import type { PageReader } from '../page-threads/page-reader.ts'
import type { Settings } from '../settings.ts'
import type { ScrapeBrowser } from './browser.ts'
import type { Network } from './network.ts'

interface LadderParts {
  clock: Clock
  network: Pick<Network, 'client' | 'egress' | 'guard'>
  browser: ScrapeBrowser | undefined
  reader: PageReader
}

/** The engines that turn a fetch plan into a page, and the ways they may use. */
export function openLadder(
  settings: Pick<Settings, 'proxies'>,
  { clock, network, browser, reader }: LadderParts,
): LadderNeeds {
  const { client, egress, guard } = network
  return {
    engines: engines({ client, clock, chromium: browser && { ...browser, egress, guard, clock } }),
    memory: engineMemory(clock.now),
    reader,
    ways: (plan) => ({
      basic: wayOut('basic', settings, plan),
      enhanced: wayOut('enhanced', settings, plan),
    }),
  }
}

export function wayOut(
  name: Way['name'],
  { proxies }: Pick<Settings, 'proxies'>,
  plan: Pick<FetchPlan, 'country'>,
): Way {
  const country = (plan.country ?? 'us').toLowerCase()
  const text = proxies[name]?.replaceAll('{country}', country)
  const upstream = text === undefined ? undefined : new URL(text)
  return { name, upstream, asBrowser: name === 'enhanced' }
}
