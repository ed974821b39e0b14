/** Jobs of many pages, as they are called in the console's addresses and in those of the API. */
export const workKinds = {
  crawl: { name: 'Crawl', path: '/v2/crawl', endpoint: 'crawl' },
  batch: { name: 'Batch', path: '/v2/batch/scrape', endpoint: 'batch_scrape' },
  extract: { name: 'Extract', path: '/v2/extract', endpoint: 'extract' },
  agent: { name: 'Agent', path: '/v2/agent', endpoint: 'agent' },
} as const

export type WorkKind = keyof typeof workKinds

export const workKindNames = Object.keys(workKinds) as WorkKind[]

/** By the word of the console or that of the API. */
export function workKindOf(word: string): WorkKind | undefined {
  return workKindNames.find((kind) => kind === word || workKinds[kind].endpoint === word)
}

/** Crawls and batches bring pages; the other two bring data. */
export const bringsPages = (kind: WorkKind): kind is 'crawl' | 'batch' => kind === 'crawl' || kind === 'batch'
