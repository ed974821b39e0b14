import type { SearchCategory, SearchProvider, SearchSource } from '../providers/provider.ts'
import type { ConfiguredProvider } from '../providers/provider-caller.ts'

export interface ProviderSettings {
  providers: string[] | undefined
  keys: ReadonlyMap<string, string>
  urls: ReadonlyMap<string, string>
}

export type ChosenProviders = ReturnType<typeof chooseProviders>

/** Throws an error with a message for the operator. */
export function chooseProviders(
  all: readonly SearchProvider[],
  { providers: providerNames, keys, urls }: ProviderSettings,
) {
  const byName = new Map(all.map((provider) => [provider.name, provider]))
  const requireProvider = (name: string, variable: string) => {
    const provider = byName.get(name)
    if (provider) return provider
    throw new Error(`${variable} names "${name}". Known search providers: ${[...byName.keys()].join(', ')}.`)
  }
  for (const name of keys.keys()) requireProvider(name, 'SEARCH_KEYS')
  for (const [name, url] of urls) {
    requireProvider(name, 'SEARCH_URLS')
    if (!/^https?:\/\//.test(url)) throw new Error(`SEARCH_URLS: the address of ${name} is no http(s) URL.`)
  }
  const missingSetting = ({ name, requires }: SearchProvider) =>
    (requires === 'key' && !keys.has(name) && 'SEARCH_KEYS') ||
    (requires === 'address' && !urls.has(name) && 'SEARCH_URLS')
  const isNone = providerNames?.length === 1 && providerNames[0] === 'none'
  const chosen = isNone
    ? []
    : (providerNames?.map((name) => requireProvider(name, 'SEARCH_PROVIDERS')) ??
      all.filter((provider) => !missingSetting(provider)))
  for (const provider of chosen) {
    const variable = missingSetting(provider)
    if (variable) throw new Error(`SEARCH_PROVIDERS names "${provider.name}", which needs ${variable}.`)
  }
  const configured = chosen.map((provider): ConfiguredProvider => {
    const base = urls.get(provider.name) ?? provider.base
    return { provider, endpoint: { base, key: keys.get(provider.name) } }
  })
  return {
    names: chosen.map(({ name }) => name),
    /** Groups are queried in order until one responds. Providers of a group are queried together. */
    groupsFor: (kind: SearchSource | SearchCategory) => groupProviders(configured, kind),
  }
}

/** Web search engines replace each other, so each is a group; open collections complement each other. */
function groupProviders(
  providers: ConfiguredProvider[],
  kind: SearchSource | SearchCategory,
): ConfiguredProvider[][] {
  const groups: ConfiguredProvider[][] = []
  for (const configured of providers) {
    if (!configured.provider.serves.includes(kind)) continue
    const last = groups.at(-1)
    const isOpen = ({ provider }: ConfiguredProvider) => provider.requires === 'nothing'
    if (kind !== 'web' && last?.every(isOpen) && isOpen(configured)) last.push(configured)
    else groups.push([configured])
  }
  return groups
}
