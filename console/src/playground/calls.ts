import type { JobKind } from '../jobs/kinds.ts'

/** Call of the playground. Its parameters come from the OpenAPI description. */
export interface Call {
  name: string
  title: string
  path: string
  /** Fields at the top of the form. The other fields are options. */
  first: string[]
  /** Feature that the call needs, as named by GET /v2/capabilities. */
  feature: string
  /** Initial request. */
  start: Record<string, unknown>
  /** Kind of the job page; undefined if the call does not start a parent job. */
  work?: JobKind
}

export const calls: Call[] = [
  {
    name: 'scrape',
    title: 'Scrape',
    path: '/v2/scrape',
    feature: 'scrape',
    first: ['url', 'formats'],
    start: { formats: ['markdown', 'html', 'links', 'images'] },
  },
  {
    name: 'parse',
    title: 'Parse',
    path: '/v2/parse',
    feature: 'parse',
    first: ['file', 'formats'],
    start: { formats: ['markdown', 'html'] },
  },
  { name: 'map', title: 'Map', path: '/v2/map', feature: 'map', first: ['url', 'search'], start: {} },
  {
    name: 'crawl',
    title: 'Crawl',
    path: '/v2/crawl',
    feature: 'batch scrape, crawl',
    first: ['url', 'prompt', 'limit'],
    start: { limit: 100 },
    work: 'crawl',
  },
  {
    name: 'batch',
    title: 'Batch',
    path: '/v2/batch/scrape',
    feature: 'batch scrape, crawl',
    first: ['urls', 'formats'],
    start: { formats: ['markdown'] },
    work: 'batch',
  },
  {
    name: 'search',
    title: 'Search',
    path: '/v2/search',
    feature: 'search',
    first: ['query', 'limit', 'sources'],
    start: {},
  },
  {
    name: 'extract',
    title: 'Extract',
    path: '/v2/extract',
    feature: 'extract',
    first: ['urls', 'prompt', 'schema'],
    start: {},
    work: 'extract',
  },
  {
    name: 'agent',
    title: 'Agent',
    path: '/v2/agent',
    feature: 'agent',
    first: ['prompt', 'urls', 'schema'],
    start: {},
    work: 'agent',
  },
  {
    name: 'browser',
    title: 'Browser',
    path: '/v2/browser',
    feature: 'browser sessions',
    first: ['ttl', 'activityTtl'],
    start: {},
  },
  {
    name: 'interact',
    title: 'Interact',
    path: '/v2/scrape/{id}/interact',
    feature: 'interact',
    first: ['id', 'prompt', 'code', 'language'],
    start: {},
  },
  {
    name: 'ask',
    title: 'Ask',
    path: '/v2/support/ask',
    feature: 'support agent',
    first: ['question', 'jobId'],
    start: {},
  },
]
