/** Kinds of parent jobs. The keys are the kinds in URLs of the console; `endpoint` is the kind in the API. */
export const jobKinds = {
  crawl: { name: 'Crawl', path: '/v2/crawl', endpoint: 'crawl' },
  batch: { name: 'Batch', path: '/v2/batch/scrape', endpoint: 'batch_scrape' },
  extract: { name: 'Extract', path: '/v2/extract', endpoint: 'extract' },
  agent: { name: 'Agent', path: '/v2/agent', endpoint: 'agent' },
} as const

export type JobKind = keyof typeof jobKinds

export const jobKindNames = Object.keys(jobKinds) as JobKind[]

/** Finds a kind by its name in the console or in the API. */
export function findJobKind(name: string): JobKind | undefined {
  return jobKindNames.find((kind) => kind === name || jobKinds[kind].endpoint === name)
}

/** Returns true for kinds whose results are pages. The other kinds return data. */
export const hasPages = (kind: JobKind): kind is 'crawl' | 'batch' => kind === 'crawl' || kind === 'batch'
