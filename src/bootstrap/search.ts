import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createGuard, createResolver } from '../fetch/network/guard.ts'
import { createApiClient } from '../fetch/network/post.ts'
import type { AddressRule } from '../platform/address-rule.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { Permits } from '../platform/permits.ts'
import { createIndexing } from '../search/indexing.ts'
import { createPageSearch } from '../search/page-search.ts'
import { providers } from '../search/providers/all.ts'
import { createProviderCaller } from '../search/providers/provider-caller.ts'
import { createSentenceComparison } from '../search/sentence-model/compare-sentences.ts'
import { createModelProcess } from '../search/sentence-model/model-process.ts'
import { hasSentenceModel } from '../search/sentence-model/open-model.ts'
import { createSearchThread } from '../search/thread/search-thread.ts'
import { type ChosenProviders, chooseProviders } from '../search/web/choose-providers.ts'
import type { Store } from '../store/schema.ts'
import type { SearchThreadData } from './search-thread.ts'
import { type Settings, toSettingsError } from './settings.ts'

export type Search = ReturnType<typeof openSearch>

const script = new URL('./search-thread.ts', import.meta.url)
const dayMs = 24 * 3600_000
/** Concurrent searches of the index; the spare one is for a team without a running search. */
const searchPermits = { count: 3, spare: 1 }

export function findSentenceModel({ sentenceModel }: Pick<Settings, 'sentenceModel'>): string | undefined {
  if (sentenceModel === undefined || sentenceModel === 'off') return undefined
  return hasSentenceModel(sentenceModel) ? sentenceModel : undefined
}

export function openSearch(
  settings: Settings,
  deps: { store: Store; clock: Clock; log: Log; providers: ChosenProviders },
) {
  const { dataDir, databaseUrl } = settings.store
  const location: SearchThreadData =
    databaseUrl === undefined ? { path: join(dataDir, 'search.sqlite') } : { databaseUrl }
  const folder = findSentenceModel(settings)
  const model = folder === undefined ? undefined : createModelProcess({ folder }, deps.log)
  const { vectors, index } = settings.search
  const pageModel = vectors === 'off' ? undefined : model
  const thread = createSearchThread({ script, data: location, megabytes: 512, idleMs: 60_000 }, deps.log)
  const indexing = createIndexing({
    ...{ ...deps, thread, index, model: pageModel },
    vectors: vectors === 'always' ? vectors : 'on-demand',
    retentionMs: settings.retention.cacheDays * dayMs,
    // A new file needs no rebuild, and startup is faster without the thread.
    mayRebuild: 'databaseUrl' in location || existsSync(location.path),
  })
  if (settings.role !== 'api') indexing.start()
  const searchPages = createPageSearch({
    ...{ store: deps.store, thread, index, model: pageModel },
    onMissingVectors: () => deps.store.notify('indexing', ''),
  })
  const client = createApiClient(createProviderGuard(settings))
  const providerCaller = createProviderCaller({ clock: deps.clock, send: client.call })
  const indexPermits = new Permits(searchPermits)
  return {
    indexing,
    searching: { ...deps, thread, searchPages, providerCaller, indexPermits },
    model,
    sentences: model && createSentenceComparison(model, deps.log),
    client,
  }
}

export function searchProviders({ search }: Settings): ChosenProviders {
  try {
    return chooseProviders(providers, search)
  } catch (thrown) {
    throw toSettingsError(thrown)
  }
}

function createProviderGuard({ search, allowPrivateNetwork, dnsServers }: Settings) {
  const providerRules = [...search.urls.values()].flatMap((providerUrl): AddressRule[] => {
    const url = URL.parse(providerUrl.replaceAll(/[{}]/g, ''))
    if (!url) return []
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    return [{ form: 'name', name: url.hostname.replace(/^\[|\]$/g, ''), port }]
  })
  return createGuard([...allowPrivateNetwork, ...providerRules], createResolver(dnsServers))
}
