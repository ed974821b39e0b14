/** Settings of earlier versions, and what became of them. The start logs a warning for each one that is set and ignores it. */
const removedVariables: Readonly<Record<string, string>> = {
  LEARNED_EXTRACTORS: 'values are no longer read from places that earlier pages of a site have taught',
}

/** Returns a warning for each removed setting that is set. */
export function findRemovedVariables(environment: Record<string, string | undefined>): string[] {
  return Object.entries(removedVariables)
    .filter(([name]) => environment[name] !== undefined)
    .map(([name, reason]) => `${name} was removed and is ignored: ${reason}. Delete the setting.`)
}

const removedProviders: readonly string[] = ['exa', 'searchapi']

export const isRemovedProvider = (name: string) => removedProviders.includes(name)

/** Returns a warning for each setting that names search providers of earlier versions. */
export function findRemovedProviders(found: {
  SEARCH_PROVIDERS?: string[] | undefined
  SEARCH_KEYS: [string, string][]
  SEARCH_URLS: [string, string][]
}): string[] {
  const named = {
    SEARCH_PROVIDERS: found.SEARCH_PROVIDERS ?? [],
    SEARCH_KEYS: found.SEARCH_KEYS.map(([name]) => name),
    SEARCH_URLS: found.SEARCH_URLS.map(([name]) => name),
  }
  return Object.entries(named).flatMap(([variable, names]) => {
    const removed = names.filter(isRemovedProvider)
    return removed.length === 0
      ? []
      : [
          `${variable} names search providers that were removed and are ignored: ${removed.join(', ')}. Use searxng, or generic for any other service.`,
        ]
  })
}
