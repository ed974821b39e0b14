import type { JobKind } from '../jobs/kinds.ts'

/** One call that can be tried. What it takes is said by the description of the API. */
export interface Call {
  name: string
  title: string
  path: string
  /** The fields that stand on top of the form; the others are options. */
  first: string[]
  /** The part of the service that it needs, as GET /v2/capabilities names it. */
  feature: string
  /** What a form begins with. */
  start: Record<string, unknown>
  /** The kind under which the page of its job is found, where it runs in the background. */
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
