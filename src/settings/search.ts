import { z } from 'zod'
import { list } from './fields.ts'
import { isRemovedProvider } from './removed.ts'

/** Comma-separated `name=value` pairs. */
function pairs() {
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

/** Who is asked by a search beside the index of the own pages. */
export const searchVariables = {
  SEARCH_PROVIDERS: list()
    .optional()
    .describe(
      'Comma-separated search providers in the order in which they are asked: `searxng,duckduckgo`; `none` searches the own pages only.',
    )
    .meta({ shown: 'those with a key or an address, then those that need none' }),
  SEARCH_KEYS: pairs()
    .describe('Comma-separated keys of search providers: `brave=KEY,google=KEY:CX`.')
    .meta({ shown: 'empty' }),
  SEARCH_URLS: pairs()
    .describe(
      'Comma-separated addresses of search providers: `searxng=http://127.0.0.1:8888`. The service may contact them even if they are private.',
    )
    .meta({ shown: 'empty' }),
}

export function searchOf(found: z.output<z.ZodObject<typeof searchVariables>>) {
  const isKnown = ([name]: [string, string]) => !isRemovedProvider(name)
  return {
    // A list of removed names alone stays a list: the providers that it did not name must not receive queries.
    providers: found.SEARCH_PROVIDERS?.filter((name) => !isRemovedProvider(name)),
    keys: new Map(found.SEARCH_KEYS.filter(isKnown)),
    urls: new Map(found.SEARCH_URLS.filter(isKnown)),
  }
}
