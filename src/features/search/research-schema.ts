import { z } from 'zod'
import { list, text } from '../../platform/bounded.ts'

const words = text('MAX_SEARCH_LENGTH').refine((value) => value.trim() !== '', 'is not empty')
/** Accepts one value or a list: in a query string, a single value is not a list. */
const stringOrList = (maxEntries: Parameters<typeof list>[1]) =>
  z
    .union([text('MAX_LABEL_LENGTH'), list(text('MAX_LABEL_LENGTH'), maxEntries)])
    .optional()
    .transform((value) => [value ?? []].flat().filter((value) => value.trim() !== ''))
const day = text('MAX_LABEL_LENGTH')
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'is a date of the form YYYY-MM-DD')
  .refine((value) => !Number.isNaN(Date.parse(value)), 'is not a date')
const count = (maxCount: number, defaultValue: number) =>
  z.coerce.number().int().min(1).max(maxCount).default(defaultValue)
const origin = text('MAX_LABEL_LENGTH').optional().describe('Label of the caller, kept with the job.')

export const papersQuery = z.object({
  query: words.describe('What the papers are about.'),
  k: count(500, 40).describe('Most papers; each provider gives at most 100.'),
  authors: stringOrList('MAX_PAPER_FILTERS').describe('Parts of names of authors; a paper has one for each.'),
  categories: stringOrList('MAX_PAPER_FILTERS').describe(
    'Categories of arXiv, such as cs.LG; a paper has all.',
  ),
  from: day.optional().describe('First day of publication.'),
  to: day.optional().describe('Last day of publication.'),
  origin,
})

export const paperQuery = z.object({
  query: words.optional().describe('Scrapes the paper and returns the passages that answer this.'),
  k: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe('Most passages, 4 when not given; only with query.'),
  origin,
})

export const similarQuery = z.object({
  intent: words.describe('What the related papers should be about; orders them.'),
  mode: z
    .enum(['similar', 'citers', 'references'])
    .default('similar')
    .describe('Papers that are similar, that cite it, or that it cites.'),
  k: count(500, 40),
  rerank: text('MAX_CURSOR_LENGTH').pipe(z.stringbool()).optional().describe('Has no effect here.'),
  anchor: stringOrList('MAX_PAPER_ANCHORS').describe('More papers to start from.'),
  origin,
})

export const githubQuery = z.object({ query: words, k: count(100, 20), origin })

export const paperId = z.object({
  id: text('MAX_ID_LENGTH').describe(
    'A paper: arxiv:2105.05233, doi:10.1000/x, pmid:123, pmcid:PMC123, openalex:W123, or its address.',
  ),
})

const ids = z.record(z.string(), z.array(z.string())).describe('What it is known by, by scheme.')

const paperResult = z
  .object({
    paperId: z.string(),
    primaryId: z.string().describe('The name to ask for it by.'),
    ids,
    title: z.string(),
    abstract: z.string().describe('Empty where no provider has it.'),
    url: z.string(),
    score: z.number(),
    signals: z
      .object({
        structural: z.number(),
        semantic: z.number(),
        articleRank: z.number().describe('How many papers cite it.'),
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
  paperId: z.string().optional().describe('With query.'),
  query: z.string().optional(),
  passages: z.array(z.object({ text: z.string(), score: z.number() })).optional(),
  warning: z.string().optional(),
})

export type PaperResponse = z.output<typeof paperResponse>

export const similarResponse = z.object({
  results: z.array(paperResult),
  poolSize: z.int().describe('Related papers that were found.'),
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
  replacement: z.string().describe('The endpoint that finds more of it.'),
  warning: z.string().optional(),
})

export type PapersRequest = z.output<typeof papersQuery>
export type PaperRequest = z.output<typeof paperQuery> & { id: string }
export type SimilarRequest = z.output<typeof similarQuery> & { id: string }
export type GithubRequest = z.output<typeof githubQuery>
export type PaperResult = z.output<typeof paperResult>
