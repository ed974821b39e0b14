import { on, type Row } from './compatibility-rows.ts'

/** Support of the first version of the API. */
export const v1Rows: Row[] = [
  ...on('v1-calls', [
    ['scrape', 'supported', 'accepts formats by name'],
    ['json with jsonOptions, extract', 'supported', 'returns values under the name of the format %s'],
    ['maxAge', 'supported', 'fetches the page again unless the request allows a cached one'],
    ['agent of a scrape', 'rejected', 'rejects an agent and names the alternative'],
    ['map', 'supported', 'lists URLs'],
    ['search', 'supported', 'returns one list, with pages if formats are given'],
    ['extract', 'supported', 'extracts if a client sends null'],
    ['team/credit-usage, token-usage, queue-status', 'supported', 'returns credits, tokens and the queue'],
    ['deep-research, llmstxt, /v0', 'rejected', '%s %s requires a key first', '501 with a hint'],
  ]),
  ...on('v1', [
    ['crawl', 'supported', 'returns pages of a crawl in the first version'],
    ['maxDepth', 'supported', 'counts the depth by path segments'],
    ['batch/scrape', 'supported', 'returns a batch at the path of a crawl'],
    [
      'changeTracking with changeTrackingOptions',
      'supported',
      'returns changes in the shape of the first version',
    ],
    ['watching by WebSocket', 'supported', 'sends each document of a batch and one final message'],
  ]),
  ...on('client-v1', [
    ['@mendable/firecrawl-js, FirecrawlAppV1', 'supported', 'scrapes with every option of the client'],
  ]),
  ...on('client-v1-python', [['firecrawl-py, V1FirecrawlApp', 'supported', 'scrapes with options']]),
]
