import { z } from 'zod'
import { boundedList, boundedText } from '../../platform/bounded.ts'
import type { BoundName } from '../../platform/bounds.ts'
import { callLabels } from '../scrape/schema.ts'

export const developerTypes = ['doc', 'issue', 'pull_request', 'readme'] as const
export type DeveloperType = (typeof developerTypes)[number]

const type = z.enum(developerTypes)
const repo = boundedText('MAX_LABEL_LENGTH').regex(/^[\w.-]+\/[\w.-]+$/, 'has the form owner/name')
const source = boundedText('MAX_HOSTNAME_LENGTH').regex(
  /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i,
  'is the hostname of pages that were scraped or crawled here',
)
const words = boundedText('MAX_SEARCH_LENGTH').refine((value) => value.trim() !== '', 'is not empty')
const label = boundedText('MAX_LABEL_LENGTH').min(1)

type ListSchema = <Value extends string>(
  entry: z.ZodType<Value, string>,
  maxEntries: BoundName,
) => z.ZodType<Value[]>

interface FieldSchemas {
  types: z.ZodType<DeveloperType[]>
  list: ListSchema
  count: z.ZodInt | z.ZodCoercedNumber
  flag: z.ZodType<boolean>
}

/** Returns the fields of a body or of a query string, which contains all values as text. */
const createFields = ({ types, list, count, flag }: FieldSchemas) => ({
  query: words.describe('A question about code, a library or an error.'),
  k: count.min(1).max(100).default(10).describe('Maximum number of results, 1 to 100.'),
  passages: count.min(1).max(5).default(1).describe('Passages per result, 1 to 5.'),
  types: types
    .optional()
    .describe('Sources: doc are your indexed pages; the others are on GitHub. Default: all.'),
  repos: list(repo, 'MAX_DEVELOPER_REPOS').default([]).describe('GitHub repositories, owner/name.'),
  sources: list(source, 'MAX_DEVELOPER_REPOS').default([]).describe('Hostnames of your indexed pages.'),
  language: label.optional().describe('Main language of the repository.'),
  topic: list(label, 'MAX_DEVELOPER_TOPICS')
    .default([])
    .describe('Topics of the repository; all must match.'),
  license: label.optional().describe('SPDX identifier of its licence.'),
  min_stars: count.min(0).optional(),
  max_stars: count.min(0).optional(),
  archived: flag.optional(),
  fork: flag.optional(),
  skills: z.literal('only').optional().describe('Not available.'),
})

const types = boundedList(type, 'MAX_DEVELOPER_TYPES').min(1)

export const developerRequest = z
  .strictObject({
    ...createFields({ types, list: boundedList, count: z.int(), flag: z.boolean() }),
    ...callLabels,
  })
  .superRefine(checkFilters)
  .meta({ id: 'DeveloperSearchRequest' })

export type DeveloperRequest = z.output<typeof developerRequest>

/** Accepts repeated parameters and comma-separated lists: both occur in query strings. */
function queryList<Value extends string>(entry: z.ZodType<Value, string>, maxEntries: BoundName) {
  return z
    .union([boundedText('MAX_SEARCH_LENGTH'), boundedList(boundedText('MAX_LABEL_LENGTH'), maxEntries)])
    .transform((values) =>
      [values]
        .flat()
        .flatMap((value) => value.split(','))
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    )
    .pipe(boundedList(entry, maxEntries))
}

export const developerQuery = z
  .object({
    ...createFields({
      types: queryList(type, 'MAX_DEVELOPER_TYPES'),
      list: queryList,
      count: z.coerce.number().int(),
      flag: boundedText('MAX_CURSOR_LENGTH').pipe(z.stringbool()),
    }),
    origin: callLabels.origin,
    integration: callLabels.integration,
  })
  .superRefine(checkFilters)

type FilterFields = z.output<z.ZodObject<ReturnType<typeof createFields>>>

function checkFilters(request: FilterFields, context: z.RefinementCtx): void {
  const { types = [...developerTypes], repos, sources, min_stars = 0, max_stars = min_stars } = request
  const problem = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (repos.length > 0 && types.every((type) => type === 'doc'))
    problem(
      'repos',
      'repos cannot match any requested type; add issue, pull_request or readme, or drop repos',
    )
  if (sources.length > 0 && !types.includes('doc'))
    problem('sources', 'sources cannot match any requested type; add doc or drop sources')
  if (max_stars < min_stars) problem('max_stars', 'max_stars is less than min_stars')
}

const coverage = z.enum(['ok', 'skipped', 'unavailable'])

export const developerResponse = z.object({
  results: z.array(
    z
      .object({
        id: z.string().describe('Id such as issue:owner/name#1.'),
        type,
        url: z.string(),
        title: z.string().optional(),
        passages: z.array(z.object({ text: z.string(), citation_url: z.string() })),
        license: z
          .object({ state: z.enum(['licensed', 'known_absent', 'unknown']), spdx_id: z.string().nullable() })
          .optional(),
      })
      .meta({ id: 'DeveloperSearchResult' }),
  ),
  coverage: z
    .object({ doc: coverage, issue: coverage, pull_request: coverage, readme: coverage })
    .describe('skipped: not requested; unavailable: the source could not be searched, see warning.'),
  reranked: z.boolean(),
  repos: z
    .array(
      z.object({
        repo: z.string(),
        indexed: z.boolean().describe('True if the source has results.'),
        types: z.object({ issue: z.boolean(), pullRequest: z.boolean(), readme: z.boolean() }),
      }),
    )
    .optional(),
  sources: z
    .array(
      z.object({
        source: z.string(),
        indexed: z.boolean().describe('True if your indexed pages include pages of the site.'),
      }),
    )
    .optional(),
  warning: z.string().optional(),
})

export type DeveloperResponse = z.output<typeof developerResponse>
