import type { SearchCategory, SearchProvider, SearchSource } from '../providers/provider.ts'
import type { ConfiguredProvider } from '../providers/provider-caller.ts'

export interface ProviderSettings {
  /** Names in the order in which they are asked; undefined: all that can be. */
  providers: string[] | undefined
  keys: ReadonlyMap<string, string>
  urls: ReadonlyMap<string, string>
}

/** The providers of an installation. */
export interface ChosenProviders {
  names: string[]
  /**
   * Who is asked for a source or a category: one group after the other, until one answers. Those of a group know different
   * things and are asked together.
   */
  groupsFor(kind: SearchSource | SearchCategory): ConfiguredProvider[][]
}

/** Settings → providers; throws a text that says what is wrong with them. */
export function chooseProviders(
  all: readonly SearchProvider[],
  { providers: order, keys, urls }: ProviderSettings,
): ChosenProviders {
  const byName = new Map(all.map((provider) => [provider.name, provider]))
  const known = (name: string, variable: string) => {
    const provider = byName.get(name)
    if (provider) return provider
    throw new Error(`${variable} names "${name}". Known search providers: ${[...byName.keys()].join(', ')}.`)
  }
  for (const name of keys.keys()) known(name, 'SEARCH_KEYS')
  for (const [name, url] of urls) {
    known(name, 'SEARCH_URLS')
    if (!/^https?:\/\//.test(url)) throw new Error(`SEARCH_URLS: the address of ${name} is no http(s) URL.`)
  }
  const lacks = ({ name, requires: deps }: SearchProvider) =>
    (deps === 'key' && !keys.has(name) && 'SEARCH_KEYS') ||
    (deps === 'address' && !urls.has(name) && 'SEARCH_URLS')
  const isNone = order?.length === 1 && order[0] === 'none'
  const chosen = isNone
    ? []
    : (order?.map((name) => known(name, 'SEARCH_PROVIDERS')) ?? all.filter((provider) => !lacks(provider)))
  for (const provider of chosen) {
    const variable = lacks(provider)
    if (variable) throw new Error(`SEARCH_PROVIDERS names "${provider.name}", which needs ${variable}.`)
  }
  const asked = chosen.map((provider): ConfiguredProvider => {
    const { name, base } = provider
    const key = keys.get(name)
    return { provider, place: { base: urls.get(name) ?? base, ...(key === undefined ? {} : { key }) } }
  })
  return {
    names: chosen.map(({ name }) => name),
    groupsFor: (kind) =>
      inGroups(
        asked.filter(({ provider }) => provider.serves.includes(kind)),
        kind,
      ),
  }
}

/** Engines of the whole web stand in for each other; open collections complete each other. */
function inGroups(asked: ConfiguredProvider[], kind: SearchSource | SearchCategory): ConfiguredProvider[][] {
  const groups: ConfiguredProvider[][] = []
  for (const one of asked) {
    const last = groups.at(-1)
    const isOpen = ({ provider }: ConfiguredProvider) => provider.requires === 'nothing'
    if (kind !== 'web' && last?.every(isOpen) && isOpen(one)) last.push(one)
    else groups.push([one])
  }
  return groups
}
