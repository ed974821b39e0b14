import { on, type Row } from './compatibility-rows.ts'

/** Support of the first version of the API. */
export const v1Rows: Row[] = [
  ...on('v1-calls', [
    ['scrape', 'acts', 'knows formats by name'],
    ['json with jsonOptions, extract', 'acts', 'returns values under the name of the format %s'],
    ['maxAge', 'acts', 'fetches the page anew unless a cached one is asked for'],
    ['agent of a scrape', 'refused', 'has no agent, and says what to use instead'],
    ['map', 'acts', 'lists addresses'],
    ['search', 'acts', 'returns one list, with pages where formats are named'],
    ['extract', 'acts', 'extracts, also where a client sends null'],
    ['team/credit-usage, token-usage, queue-status', 'acts', 'tells of credits, tokens and the queue'],
    ['deep-research, llmstxt, /v0', 'refused', '%s %s asks for a key first', '501 with a hint'],
  ]),
  ...on('v1', [
    ['crawl', 'acts', 'is read page by page in its own version'],
    ['maxDepth', 'acts', 'counts its depth by the parts of a path'],
    ['batch/scrape', 'acts', 'is also read by the path of a crawl'],
    ['changeTracking with changeTrackingOptions', 'acts', 'shows what changed as the first version does'],
    ['watching by WebSocket', 'acts', 'hears of each document of a batch, and once of the end'],
  ]),
  ...on('client-v1', [
    ['@mendable/firecrawl-js, FirecrawlAppV1', 'acts', 'scrapes with every option it knows'],
  ]),
  ...on('client-v1-python', [['firecrawl-py, V1FirecrawlApp', 'acts', 'scrapes with options']]),
]
