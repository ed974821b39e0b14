import { z } from 'zod'
import type { Query } from '../query/query.ts'
import { type Dialect, writeQuery } from '../query/write-query.ts'
import { getJson, truncateQuery } from './calls.ts'
import { normalizeResults, withoutTags } from './normalize-results.ts'
import { ProviderFailure, type ProviderProblem, type SearchProvider } from './provider.ts'
import { dateOf, readJsonResponse } from './read-response.ts'

/** MediaWiki may add an error to any response, with status 200. */
export const mediaWikiError = z.object({ code: z.string(), info: z.string().optional() }).optional()

const name = 'Wikimedia Commons'

const fileSchema = z.object({
  url: z.string(),
  descriptionurl: z.string(),
  width: z.number().optional(),
  height: z.number().optional(),
  timestamp: z.string().optional(),
  // Without metadata, the value is an empty list.
  extmetadata: z
    .object({ ImageDescription: z.object({ value: z.string() }).optional() })
    .or(z.array(z.unknown()))
    .optional(),
})

const responseSchema = z.object({
  error: mediaWikiError,
  batchcomplete: z.boolean().optional(),
  query: z
    .object({
      pages: z.array(
        z.object({
          title: z.string(),
          index: z.number().optional(),
          imageinfo: z.array(fileSchema).optional(),
        }),
      ),
    })
    .optional(),
})

export const mediaWikiDialect: Dialect = { operators: ['intitle'], hasPhrases: true, hasMinus: true }

export const wikimediaCommons: SearchProvider = {
  name: 'wikimedia-commons',
  description: 'Free pictures of Wikimedia Commons with their sizes, by the API of the Wikimedia Foundation.',
  serves: ['images'],
  base: 'https://commons.wikimedia.org',
  requires: 'nothing',
  abilities: { dialect: mediaWikiDialect, dates: 'none', sortsByDate: true },
  pauseMs: 200,
  maxResults: 50,
  call({ query, limit, range, language = 'en' }, { base }) {
    const words = truncateQuery(writeQuery(query, mediaWikiDialect).text, 200)
    return getJson({ base }, '/w/api.php', {
      ...{ action: 'query', format: 'json', formatversion: '2', generator: 'search', gsrnamespace: '6' },
      gsrsearch: ['filetype:bitmap|drawing', ...writeSizes(query), words].filter(Boolean).join(' '),
      gsrlimit: String(Math.min(limit, 50)),
      gsrsort: range.isNewestFirst ? 'create_timestamp_desc' : undefined,
      ...{ prop: 'imageinfo', iiprop: 'url|size|timestamp|extmetadata' },
      ...{ iiextmetadatafilter: 'ImageDescription', iiextmetadatalanguage: language },
    })
  },
  read(response) {
    const { query, error, batchcomplete } = readJsonResponse(response, responseSchema, name)
    throwMediaWikiError(error, name)
    // A response without files has no list of them, only `batchcomplete`.
    if (!query && batchcomplete !== true)
      throw new ProviderFailure('changed', `${name} answered without a list of results`)
    const pages = (query?.pages ?? []).toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
    return normalizeResults(
      pages.map(({ title, imageinfo: [file] = [] }) => ({
        url: file?.descriptionurl,
        title: title.replace(/^[^:]{1,40}:/, '').replace(/\.\w{1,5}$/, ''),
        text: withoutTags(getDescription(file)),
        publishedAt: dateOf(file?.timestamp),
        ...{ imageUrl: file?.url, imageWidth: file?.width, imageHeight: file?.height },
      })),
    )
  },
}

/** In this search, `>` includes the number, so results must still be filtered by size. */
function writeSizes({ clauses }: Query): string[] {
  return clauses.flatMap(({ terms: [term, ...others], isExcluded }) => {
    if (term?.kind !== 'size' || isExcluded || others.length > 0) return []
    const { width, height } = term
    const sign = term.name === 'imagesize' ? '' : '>'
    return [`filew:${sign}${width}`, `fileh:${sign}${height}`]
  })
}

function getDescription(file: z.output<typeof fileSchema> | undefined): string {
  const metadata = file?.extmetadata
  return metadata && !Array.isArray(metadata) ? (metadata.ImageDescription?.value ?? '') : ''
}

const problems = new Map(
  Object.entries<ProviderProblem>({
    ...{ ratelimited: 'rate-limited', blocked: 'blocked', autoblocked: 'blocked' },
    ...{ permissiondenied: 'blocked', maxlag: 'failed', readonly: 'failed' },
  }),
)

export function throwMediaWikiError(error: z.output<typeof mediaWikiError>, name: string): void {
  if (error === undefined) return
  const { code, info: responseText = code } = error
  // Codes of other errors concern the request.
  const problem = problems.get(code) ?? (code.startsWith('internal_api_error') ? 'failed' : 'refused')
  throw new ProviderFailure(problem, `${name} answered with an error`, { responseText })
}
