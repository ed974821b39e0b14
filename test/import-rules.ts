/** The folders of `src`. Each imports only from those below it. */
export const folders = [
  ...['main', 'bootstrap', 'api', 'features', 'sessions', 'fetch', 'search', 'jobs', 'accounts', 'browser'],
  ...['documents', 'extraction', 'content', 'store', 'platform'],
]

/** Between features only these edges: any feature reads the public shape of a scrape. */
export const featureEdges = [
  // Types of dependencies, and the form of lists and absent fields, are the same for all features.
  /^features\/(?:needs|present)\.ts$/,
  /^features\/scrape\/schema\.ts$/,
  /^features\/capabilities\.ts$/,
  /^features\/job-trace\.ts$/,
  /^features\/files\.ts$/,
  /^features\/write-document\.ts$/,
  /^features\/parent-job\.ts$/,
  /^features\/discover\//,
  // The cheapest look at a site: a trial of the support agent for a crawl is one.
  /^features\/map\.ts$/,
  // An extract and an agent read pages and join them alike.
  /^features\/gather\//,
  // A job tells of its pages and its end by webhooks.
  /^features\/webhooks\//,
  // Interacting with a scrape is a session.
  /^features\/sessions\//,
]
