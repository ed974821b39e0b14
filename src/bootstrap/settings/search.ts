import { z } from 'zod'
import { folderOrOff, list } from './fields.ts'

function nameValuePairs() {
  return list()
    .pipe(
      z.array(
        z
          .string()
          .regex(/^[a-z-]+=.+$/, 'is a list of name=value')
          .transform((text): [string, string] => {
            const equals = text.indexOf('=')
            return [text.slice(0, equals), text.slice(equals + 1)]
          }),
      ),
    )
    .default([])
}

export const searchVariables = {
  SEARCH_INDEX: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether stored pages can be searched. `off`: nothing is indexed, and searches ask providers only. A team can be excluded by its own setting.',
    ),
  SEARCH_VECTORS: z
    .enum(['on-demand', 'always', 'off'])
    .default('on-demand')
    .describe(
      'For which pages the sentence model makes vectors. `on-demand`: pages of teams that have searched within 30 days. `always`: every stored page, so that the first search of a team ranks by meaning too. `off`: none; search ranks by words alone. SEARCH_SENTENCE_MODEL=off implies `off`.',
    ),
  SEARCH_PROVIDERS: list()
    .optional()
    .describe(
      'Comma-separated search providers in the order in which they are asked: `searxng,duckduckgo`; `none` searches the own pages only.',
    )
    .meta({ shown: 'those with a key or an address, then those that need none' }),
  SEARCH_KEYS: nameValuePairs()
    .describe('Comma-separated keys of search providers: `brave=KEY,google=KEY:CX`.')
    .meta({ shown: 'empty' }),
  SEARCH_URLS: nameValuePairs()
    .describe(
      'Comma-separated addresses of search providers: `searxng=http://127.0.0.1:8888`. The service may contact them even if they are private.',
    )
    .meta({ shown: 'empty' }),
}

type SearchValues = z.output<z.ZodObject<typeof searchVariables>>

const removedProviders: readonly string[] = ['exa', 'searchapi']

const isRemovedProvider = (name: string) => removedProviders.includes(name)

export function findRemovedProviders(values: SearchValues): string[] {
  const namesByVariable = {
    SEARCH_PROVIDERS: values.SEARCH_PROVIDERS ?? [],
    SEARCH_KEYS: values.SEARCH_KEYS.map(([name]) => name),
    SEARCH_URLS: values.SEARCH_URLS.map(([name]) => name),
  }
  return Object.entries(namesByVariable).flatMap(([variable, names]) => {
    const removed = names.filter(isRemovedProvider)
    const warning = `${variable} names search providers that were removed and are ignored: ${removed.join(', ')}. Use searxng, or generic for any other service.`
    return removed.length === 0 ? [] : [warning]
  })
}

export function readSearchSettings(values: SearchValues) {
  const isKnown = ([name]: [string, string]) => !isRemovedProvider(name)
  return {
    index: values.SEARCH_INDEX,
    vectors: values.SEARCH_VECTORS,
    // A list of removed names only stays empty: providers that it does not name must not get queries.
    providers: values.SEARCH_PROVIDERS?.filter((name) => !isRemovedProvider(name)),
    keys: new Map(values.SEARCH_KEYS.filter(isKnown)),
    urls: new Map(values.SEARCH_URLS.filter(isKnown)),
  }
}

export const sentenceModelVariables = {
  SEARCH_SENTENCE_MODEL: folderOrOff()
    .describe(
      'Folder of the sentence model that search and highlights rank English text with; `off` ranks by words alone. If not set, the start installs it.',
    )
    .meta({ shown: 'installed' }),
}
