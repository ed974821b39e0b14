import { z } from 'zod'
import { boundedList, boundedText } from '../../platform/bounded.ts'

const words = boundedText('MAX_SEARCH_LENGTH').refine((value) => value.trim() !== '', 'is not empty')
/** Accepts one value or a list: in a query string, a single value is not a list. */
const stringOrList = (maxEntries: Parameters<typeof boundedList>[1]) =>
  z
    .union([boundedText('MAX_LABEL_LENGTH'), boundedList(boundedText('MAX_LABEL_LENGTH'), maxEntries)])
    .optional()
    .transform((value) => [value ?? []].flat().filter((value) => value.trim() !== ''))
const day = boundedText('MAX_LABEL_LENGTH')
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'is a date of the form YYYY-MM-DD')
  .refine((value) => !Number.isNaN(Date.parse(value)), 'is not a date')
const count = (maxCount: number, defaultValue: number) =>
  z.coerce.number().int().min(1).max(maxCount).default(defaultValue)
const origin = boundedText('MAX_LABEL_LENGTH')
  .optional()
  .describe('Label of the caller, stored with the job.')

export const papersQuery = z.object({
  query: words.describe('Topic of the papers.'),
  k: count(500, 40).describe('Maximum number of papers; each provider returns at most 100.'),
  authors: stringOrList('MAX_PAPER_FILTERS').describe(
    'Parts of author names; each must match an author of the paper.',
  ),
  categories: stringOrList('MAX_PAPER_FILTERS').describe('arXiv categories, such as cs.LG; all must match.'),
  from: day.optional().describe('Earliest date of publication.'),
  to: day.optional().describe('Latest date of publication.'),
  origin,
})

export const paperQuery = z.object({
  query: words.optional().describe('Scrapes the paper and returns the passages that answer this query.'),
  k: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe('Maximum number of passages; only with query. Default: 4.'),
  origin,
})

export const similarQuery = z.object({
  intent: words.describe('Topic of the related papers; sorts the results.'),
  mode: z
    .enum(['similar', 'citers', 'references'])
    .default('similar')
    .describe('Relation to the paper: similar papers, papers that cite it, or papers that it cites.'),
  k: count(500, 40),
  rerank: boundedText('MAX_CURSOR_LENGTH').pipe(z.stringbool()).optional().describe('No effect.'),
  anchor: stringOrList('MAX_PAPER_ANCHORS').describe('Additional start papers.'),
  origin,
})

export const githubQuery = z.object({ query: words, k: count(100, 20), origin })

export const paperId = z.object({
  id: boundedText('MAX_ID_LENGTH').describe(
    'Id of a paper: arxiv:2105.05233, doi:10.1000/x, pmid:123, pmcid:PMC123, openalex:W123, or a URL.',
  ),
})

const ids = z.record(z.string(), z.array(z.string())).describe('Ids of the paper by scheme.')

const paperResult = z
  .object({
    paperId: z.string(),
    primaryId: z.string().describe('Id for requests about the paper.'),
    ids,
    title: z.string(),
    abstract: z.string().describe('Empty if no provider has it.'),
    url: z.string(),
    score: z.number(),
    signals: z
      .object({
        structural: z.number(),
        semantic: z.number(),
        articleRank: z.number().describe('Number of citations.'),
        seedOverlap: z.number(),
      })
      .optional(),
  })
  .meta({ id: 'PaperResult' })

export const papersResponse = z.object({ results: z.array(paperResult), warning: z.string().optional() })

export const paperResponse = z.object({
  paper: z
    .object({
      paperId: z.string(),
      ids,
      title: z.string(),
      abstract: z.string(),
      url: z.string(),
      pdfUrl: z.string().optional(),
      authors: z.string().optional().describe('Names, separated by commas.'),
      categories: z.array(z.string()).optional(),
      createdDate: z.string().optional(),
      updateDate: z.string().optional(),
    })
    .meta({ id: 'Paper' }),
  paperId: z.string().optional().describe('Only with query.'),
  query: z.string().optional(),
  passages: z.array(z.object({ text: z.string(), score: z.number() })).optional(),
  warning: z.string().optional(),
})

export type PaperResponse = z.output<typeof paperResponse>

export const similarResponse = z.object({
  results: z.array(paperResult),
  poolSize: z.int().describe('Number of related papers.'),
  truncated: z.boolean(),
  note: z.string().nullable(),
  warning: z.string().optional(),
})

export const githubResponse = z.object({
  results: z.array(
    z.object({
      resultType: z.enum(['github_history', 'repo_readme']),
      repo: z.string(),
      url: z.string(),
      title: z.string(),
      pageType: z.string().optional(),
      number: z.int().optional(),
      snippet: z.string(),
      scores: z.object({ rrf: z.number() }),
    }),
  ),
  replacement: z.string().describe('Endpoint with more results.'),
  warning: z.string().optional(),
})

export type PapersRequest = z.output<typeof papersQuery>
export type PaperRequest = z.output<typeof paperQuery> & { id: string }
export type SimilarRequest = z.output<typeof similarQuery> & { id: string }
export type GithubRequest = z.output<typeof githubQuery>
export type PaperResult = z.output<typeof paperResult>
