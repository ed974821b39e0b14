/** The folders of `src`. Each folder imports only from folders after it. */
export const folders = [
  ...['main', 'bootstrap', 'api', 'features', 'sessions', 'fetch', 'search', 'jobs', 'accounts', 'browser'],
  ...['documents', 'extraction', 'content', 'store', 'platform'],
]

/** Imports that are allowed between features, with reasons. A name that ends in a slash is a folder. */
export const featureEdges: Record<string, string> = {
  'needs.ts': 'dependency types of all features',
  'present.ts': 'omits undefined fields in responses and stored records',
  'scrape/schema.ts': 'public request schema of a scrape, which other features extend',
  'capabilities.ts': 'features that this installation supports',
  'job-trace.ts': 'trace of a job',
  'file-storage.ts': 'storage of files that calls generate',
  'write-document.ts': 'last step of a scrape and of a parse: builds the response document',
  'parent-status.ts': 'status of a job with many pages',
  'discover/': 'finds the URLs of a site',
  'map.ts': 'the support agent tests a fix for a crawl with a map',
  'multi-page/': 'extract and agent read pages and merge values with the same code',
  'webhooks/': 'jobs send webhooks for their pages and their end',
  'sessions/': 'interacting with a scrape opens a browser session',
}
