/** Jobs of many pages, as they are called in the console's addresses and in those of the API. */
export const jobKinds = {
  crawl: { name: 'Crawl', path: '/v2/crawl', endpoint: 'crawl' },
  batch: { name: 'Batch', path: '/v2/batch/scrape', endpoint: 'batch_scrape' },
  extract: { name: 'Extract', path: '/v2/extract', endpoint: 'extract' },
  agent: { name: 'Agent', path: '/v2/agent', endpoint: 'agent' },
} as const

export type JobKind = keyof typeof jobKinds

export const jobKindNames = Object.keys(jobKinds) as JobKind[]

/** By the word of the console or that of the API. */
export function jobKindOf(word: string): JobKind | undefined {
  return jobKindNames.find((kind) => kind === word || jobKinds[kind].endpoint === word)
}

/** Crawls and batches bring pages; the other two bring data. */
export const hasPages = (kind: JobKind): kind is 'crawl' | 'batch' => kind === 'crawl' || kind === 'batch'
