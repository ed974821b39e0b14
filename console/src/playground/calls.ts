import type { JobKind } from '../jobs/kinds.ts'

/** Call of the playground. Its parameters come from the OpenAPI description. */
export interface Call {
  name: string
  title: string
  path: string
  /** Fields at the top of the form. The other fields are options. */
  mainFields: string[]
  /** Feature that the call needs, as named by GET /v2/capabilities. */
  feature: string
  /** Initial request. */
  initialRequest: Record<string, unknown>
  /** Kind of the job page; undefined if the call does not start a parent job. */
  jobKind?: JobKind
}

export const calls: Call[] = [
  {
    name: 'scrape',
    title: 'Scrape',
    path: '/v2/scrape',
    feature: 'scrape',
    mainFields: ['url', 'formats'],
    initialRequest: { formats: ['markdown', 'html', 'links', 'images'] },
  },
  {
    name: 'parse',
    title: 'Parse',
    path: '/v2/parse',
    feature: 'parse',
    mainFields: ['file', 'formats'],
    initialRequest: { formats: ['markdown', 'html'] },
  },
  {
    name: 'map',
    title: 'Map',
    path: '/v2/map',
    feature: 'map',
    mainFields: ['url', 'search'],
    initialRequest: {},
  },
  {
    name: 'crawl',
    title: 'Crawl',
    path: '/v2/crawl',
    feature: 'batch scrape, crawl',
    mainFields: ['url', 'prompt', 'limit'],
    initialRequest: { limit: 100 },
    jobKind: 'crawl',
  },
  {
    name: 'batch',
    title: 'Batch',
    path: '/v2/batch/scrape',
    feature: 'batch scrape, crawl',
    mainFields: ['urls', 'formats'],
    initialRequest: { formats: ['markdown'] },
    jobKind: 'batch',
  },
  {
    name: 'search',
    title: 'Search',
    path: '/v2/search',
    feature: 'search',
    mainFields: ['query', 'limit', 'sources'],
    initialRequest: {},
  },
  {
    name: 'extract',
    title: 'Extract',
    path: '/v2/extract',
    feature: 'extract',
    mainFields: ['urls', 'prompt', 'schema'],
    initialRequest: {},
    jobKind: 'extract',
  },
  {
    name: 'agent',
    title: 'Agent',
    path: '/v2/agent',
    feature: 'agent',
    mainFields: ['prompt', 'urls', 'schema'],
    initialRequest: {},
    jobKind: 'agent',
  },
  {
    name: 'browser',
    title: 'Browser',
    path: '/v2/browser',
    feature: 'browser sessions',
    mainFields: ['ttl', 'activityTtl'],
    initialRequest: {},
  },
  {
    name: 'interact',
    title: 'Interact',
    path: '/v2/scrape/{id}/interact',
    feature: 'interact',
    mainFields: ['id', 'prompt', 'code', 'language'],
    initialRequest: {},
  },
  {
    name: 'ask',
    title: 'Ask',
    path: '/v2/support/ask',
    feature: 'support agent',
    mainFields: ['question', 'jobId'],
    initialRequest: {},
  },
]
