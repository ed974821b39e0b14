import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceQueryDeps } from '../features/search/query-sources.ts'
import { createGuard, createResolver } from '../fetch/network/guard.ts'
import { type ApiClient, createApiClient } from '../fetch/network/post.ts'
import type { AddressRule } from '../platform/address-rule.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { Permits } from '../platform/permits.ts'
import { createIndexing, type Indexing } from '../search/indexing.ts'
import { createPageSearch } from '../search/page-search.ts'
import { providers } from '../search/providers/all.ts'
import { createProviderCaller } from '../search/providers/provider-caller.ts'
import {
  createSentenceComparison,
  type SentenceComparison,
} from '../search/sentence-model/compare-sentences.ts'
import { createModelProcess, type ModelProcess } from '../search/sentence-model/model-process.ts'
import { hasSentenceModel } from '../search/sentence-model/open-model.ts'
import { createSearchThread } from '../search/thread/search-thread.ts'
import { type ChosenProviders, chooseProviders } from '../search/web/choose-providers.ts'
import type { Store } from '../store/schema.ts'
import type { SearchPlace } from './search-thread.ts'
import { type Settings, SettingsError } from './settings.ts'

export interface Search {
  indexing: Indexing
  searching: SourceQueryDeps
  /** Undefined where no sentence model is installed. */
  model: Pick<ModelProcess, 'stop'> | undefined
  sentences: SentenceComparison | undefined
  client: Pick<ApiClient, 'close'>
}

interface SearchParts {
  store: Store
  clock: Clock
  log: Log
  providers: ChosenProviders
}

const script = new URL('./search-thread.ts', import.meta.url)
const day = 24 * 3600_000
/** Searches of the index that run at once; one more for a team that has none. */
const turns = { count: 3, spare: 1 }

/** The folder of the sentence model; undefined where it is switched off or not complete. */
export function findSentenceModel({ sentenceModel }: Pick<Settings, 'sentenceModel'>): string | undefined {
  if (sentenceModel === undefined || sentenceModel === 'off') return undefined
  return hasSentenceModel(sentenceModel) ? sentenceModel : undefined
}

/** The index of kept pages: a file beside the store, or tables in the database that all processes share. */
export function openSearch(settings: Settings, deps: SearchParts): Search {
  const { dataDir, databaseUrl } = settings.store
  const place: SearchPlace =
    databaseUrl === undefined ? { path: join(dataDir, 'search.sqlite') } : { databaseUrl }
  const folder = findSentenceModel(settings)
  const model = folder === undefined ? undefined : createModelProcess({ folder }, deps.log)
  const { vectors, index } = settings.search
  const modelOfPages = vectors === 'off' ? undefined : model
  const thread = createSearchThread({ script, data: place, megabytes: 512, idleMs: 60_000 }, deps.log)
  const indexing = createIndexing({
    ...{ ...deps, thread, index, model: modelOfPages },
    vectors: vectors === 'always' ? vectors : 'on-demand',
    keptMs: settings.retention.cacheDays * day,
    // A file that does not exist yet needs no rebuilding, and a start is quicker without the thread.
    mayRebuild: 'databaseUrl' in place || existsSync(place.path),
  })
  if (settings.role !== 'api') indexing.start()
  const searchPages = createPageSearch({
    ...{ store: deps.store, thread, index, model: modelOfPages },
    onMissingVectors: () => deps.store.notify('indexing', ''),
  })
  const client = createApiClient(guardFor(settings))
  const asking = createProviderCaller({ clock: deps.clock, send: client.call })
  return {
    indexing,
    searching: {
      ...{ thread, searchPages, asking, turns: new Permits(turns) },
      ...{ providers: deps.providers, log: deps.log },
    },
    model,
    sentences: model && createSentenceComparison(model, deps.log),
    client,
  }
}

/** The providers that the settings name; what is wrong with them ends the start. */
export function searchProviders({ search }: Settings): ChosenProviders {
  try {
    return chooseProviders(providers, search)
  } catch (thrown) {
    throw new SettingsError(
      `The settings are invalid:\n  ${thrown instanceof Error ? thrown.message : thrown}`,
    )
  }
}

/** An address that the operator has named for a provider may be private. */
function guardFor({ search, allowPrivateNetwork, dnsServers }: Settings) {
  const named = [...search.urls.values()].flatMap((address): AddressRule[] => {
    const url = URL.parse(address.replaceAll(/[{}]/g, ''))
    return url ? [{ form: 'name', name: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(url) }] : []
  })
  return createGuard([...allowPrivateNetwork, ...named], createResolver(dnsServers))
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
