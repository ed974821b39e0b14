/** The folders of `src`. Each folder imports only from folders after it. */
export const folders = [
  ...['main', 'bootstrap', 'api', 'features', 'sessions', 'fetch', 'search', 'jobs', 'accounts', 'browser'],
  ...['documents', 'extraction', 'content', 'store', 'platform'],
]

/** Imports that are allowed between features, with reasons. A name that ends in a slash is a folder. */
export const featureEdges: Record<string, string> = {
  'needs.ts': 'the types of dependencies are the same for all',
  'present.ts': 'absent fields are left out alike',
  'scrape/schema.ts': 'any feature reads the public schema of a scrape',
  'capabilities.ts': 'what this installation can do',
  'job-trace.ts': 'what is known of how a job went',
  'file-storage.ts': 'files that a call produces',
  'write-document.ts': 'the last step of a scrape and of a parsed file',
  'parent-status.ts': 'the status of a job with many pages',
  'discover/': 'the addresses of a site',
  'map.ts': 'the cheapest look at a site: a trial of the support agent for a crawl is one',
  'multi-page/': 'an extract and an agent read pages and join them alike',
  'webhooks/': 'a job tells of its pages and its end by webhooks',
  'sessions/': 'to interact with a scrape is a session',
}
