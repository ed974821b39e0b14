import { readdirSync, readFileSync } from 'node:fs'
import { on, type Row } from './compatibility-rows.ts'
import { v1Rows } from './compatibility-v1.ts'

/** Every option, format and action of the API, and the test that shows its behaviour. */
export const compatibility: Record<string, Row[]> = {
  'Options of a scrape': [
    ...on('scrape', [
      ['url', 'supported', 'returns Markdown and metadata of a page'],
      ['formats', 'supported', 'returns every requested format'],
      ['includeTags, excludeTags', 'supported', 'keeps only what includeTags match'],
      ['headers', 'supported', 'sends the headers of the caller'],
      ['skipTlsVerification', 'supported', 'accepts a self-signed certificate by default'],
      ['timeout', 'supported', 'ends at its timeout and names the phase'],
      ['origin, integration', 'supported', 'accepts the labels that clients add'],
      [
        'threatProtection and other keys of clients',
        'ignored with a warning',
        'names options that have no effect here',
      ],
    ]),
    ...on('cache', [
      ['maxAge', 'supported', 'always fetches with maxAge 0'],
      ['minAge, lockdown', 'supported', 'never fetches with minAge or lockdown'],
      ['storeInCache', 'supported', 'does not cache pages fetched with headers'],
    ]),
    ...on('browser', [
      ['waitFor', 'supported', 'includes shadow roots and frames'],
      ['mobile', 'supported', 'emulates a phone with mobile'],
      ['location', 'supported', 'uses the location'],
      ['fastMode', 'supported', 'names missing content if fastMode forbids a browser'],
    ]),
    ...on('formats', [['blockAds', 'supported', 'blocks ads unless blockAds is false']]),
    ...on('proxy', [
      ['proxy: basic, enhanced', 'supported', 'sends ordinary requests through the basic proxy'],
      ['proxy: auto', 'supported', 'escalates to the enhanced proxy automatically'],
    ]),
    ...on('client', [
      ['onlyMainContent, removeBase64Images', 'supported', 'scrapes with every option of the client'],
      ['actions', 'supported', 'scrapes with every option of the client'],
    ]),
    ...on('clean-content', [
      [
        'onlyCleanContent',
        'supported',
        'removes boilerplate that the ordinary result keeps',
        'by the block model, without a language model',
      ],
    ]),
    ...on('main-content-mode', [['mainContentMode', 'supported', 'returns the requested amount of content']]),
    ...on('profile', [
      ['profile', 'supported', 'keeps logins and stored data of pages'],
      [
        'profile of crawls and batches',
        'supported',
        'is loaded by pages of a batch and of a crawl',
        '`saveChanges: true` is rejected there',
      ],
    ]),
    ...on('redact', [
      [
        'redactPII',
        'supported',
        'removes personal data from the Markdown',
        'by patterns; names and places need a language model, as `warning` says',
      ],
    ]),
    ...on('docs-search', [
      ['support/docs-search', 'supported', 'answers with sentences of the documentation'],
    ]),
    ...on('client-habits', [
      [
        'calls without a body that name a content type',
        'supported',
        'reaches every route that takes no body',
      ],
      ['monitor', 'rejected', '%s %s requires a key first', '501 with a hint'],
      ['alexandria', 'rejected', 'rejects an unknown source that replaces the URL, by its name'],
    ]),
  ],
  'First version of the API (/v1)': v1Rows,
  'Crawl, batch, map, webhooks': [
    ...on('crawl', [
      ['includePaths, excludePaths', 'supported', 'follows patterns'],
      [
        'a start that they exclude',
        'supported',
        'follows the links of a start page that its patterns exclude',
      ],
      ['maxDiscoveryDepth', 'supported', 'does not exceed its maximum depth'],
      ['limit', 'supported', 'keeps a limit of %i exactly'],
      ['deduplicateSimilarURLs', 'supported', 'returns one page for equivalent URLs'],
      ['allowExternalLinks', 'supported', 'scrapes pages of other sites that the site links to'],
      ['crawlEntireDomain, maxConcurrency', 'supported', 'never exceeds its concurrency'],
      ['x-idempotency-key', 'supported', 'starts once per idempotency key'],
    ]),
    ...on('crawl-texts', [
      [
        'removeRepeatedContent',
        'supported',
        'is removed from most pages if the crawl requests it, except headings',
      ],
    ]),
    ...on('crawl-rules', [
      [
        'ignoreRobotsTxt, robotsUserAgent',
        'supported',
        'applies robots.txt for the given user agent, or ignores it',
      ],
      ['sitemap', 'supported', 'finds pages of the sitemap that have no links'],
      ['prompt, params-preview', 'supported', 'converts a prompt into options, and names unsupported parts'],
    ]),
    ...on('client-sites', [
      [
        'ignoreQueryParameters, allowSubdomains, regexOnFullURL, scrapeOptions',
        'supported',
        'completes a crawl with every option of the client',
      ],
      ['watcher', 'supported', 'watches a %s by WebSocket until it is done'],
    ]),
    ...on('batch-scrape', [
      ['appendToId', 'supported', 'grows by URLs that are added'],
      ['ignoreInvalidURLs', 'supported', 'skips invalid URLs and lists them'],
      ['zeroDataRetention of crawls and batches', 'rejected', 'rejects zero retention'],
    ]),
    ...on('map', [
      ['search', 'supported', 'returns titles, and sorts pages by relevance'],
      ['sitemap, ignoreCache', 'supported', 'caches sitemaps, unless ignoreCache is set'],
      ['ignoreQueryParameters, limit', 'supported', 'lists URLs with a query if requested'],
      ['timeout', 'supported', 'returns the pages found before the timeout'],
    ]),
    ...on('search', [
      ['operators of a search', 'supported', '%s'],
      ['tbs', 'supported', 'limits results by time, and sorts by time'],
      ['includeDomains, excludeDomains', 'supported', 'limits results by domain'],
      ['sources: web, images, news', 'supported', 'returns all sources, each with its own limit and options'],
      ['categories', 'supported', 'returns the category of each result'],
      ['scrapeOptions', 'supported', 'scrapes results if formats are requested'],
      ['asyncScraping', 'supported', 'scrapes results later with asyncScraping'],
    ]),
    ...on('search-web', [
      ['country, location, lang', 'supported', 'passes operators, dates and locations to the engine'],
      ['ignoreInvalidURLs', 'supported', 'omits results whose URL other endpoints would reject'],
    ]),
    ...on('research', [
      ['GET /search/research/papers', 'supported', 'finds papers by words, authors, categories and dates'],
      ['GET /search/research/papers/{id}', 'supported', 'returns a paper and its passages'],
      ['…/similar', 'supported', 'finds papers that are related to others', '`rerank` has no effect'],
      ['GET /search/research/github', 'supported', 'searches GitHub'],
      ['GET, POST /search/developer', 'supported', 'works with the published JavaScript client'],
      ['skills of a developer search', 'rejected', 'names unavailable features', '501 with a hint'],
    ]),
    ...on('feedback', [
      ['POST /search/{id}/feedback', 'supported', 'refunds one credit, once'],
      ['POST /feedback', 'supported', 'accepts feedback on scrapes, maps and files'],
      ['feedbackErrorCode', 'supported', 'returns the error codes that clients know'],
    ]),
    ...on('webhooks', [
      ['webhook: url, headers, metadata', 'supported', 'sends events for the start, every page and the end'],
      ['webhook: events', 'supported', 'sends only requested events'],
      ['signature', 'supported', 'is signed with a secret derived from WEBHOOK_SECRET'],
    ]),
  ],
  'Extract and agent': [
    ...on('extract', [
      ['urls, schema', 'supported', 'reads several pages with one schema, and merges their lists'],
      ['showSources', 'supported', 'selects the value of most pages, and lists the others'],
      ['urls ending in /*, limit, ignoreSitemap, urlTrace', 'supported', 'finds the pages of a site'],
      ['enableWebSearch', 'supported', 'reads what a search finds'],
      ['ignoreInvalidURLs', 'supported', 'skips invalid URLs and lists them'],
      ['timeout of an extract', 'supported', 'ends at its timeout'],
      [
        'agent of an extract, formats of its scrapeOptions',
        'ignored with a warning',
        'names options without effect',
      ],
      ['webhook of an extract', 'supported', 'sends webhook events for its pages and its end'],
    ]),
    ...on('client-extract', [
      ['prompt, systemPrompt, scrapeOptions', 'supported', 'extracts with a schema and with a prompt'],
      ['startExtract, getExtractStatus', 'supported', 'starts an extract and reads its status'],
      [
        'agent, listAgents, trace, snapshots, threads',
        'supported',
        'runs an agent and reads its trace, snapshots and threads',
      ],
      ['cancelAgent', 'supported', 'cancels an agent', 'the status is then `failed`'],
    ]),
    ...on('agent', [
      ['prompt alone', 'supported', 'reads every page with one schema that the model creates'],
      ['without a model', 'rejected', 'rejects an agent without a model', '503 with its code'],
      ['maxCredits', 'supported', 'does not exceed its budget'],
      ['strictConstrainToURLs', 'supported', 'reads only the pages of the caller if required'],
      ['effort', 'supported', 'stops at its step limit'],
      ['threadId', 'supported', 'continues a conversation, and is listed'],
      ['mode: chat', 'supported', 'answers in natural language based on pages'],
      ['webhook of an agent', 'supported', 'finds pages, reads them and reports its actions'],
      ['model, exchange', 'ignored with a warning', 'names options that it does not use'],
    ]),
  ],
  'Browser sessions and interact': [
    ...on('sessions', [
      ['POST, GET, DELETE /browser', 'supported', 'is opened, used, listed, read and ended'],
      ['/interact as another name', 'supported', 'is served under /v2/interact as well'],
      ['ttl, activityTtl', 'supported', 'ends after its ttl and after inactivity'],
      ['streamWebView', 'supported', 'opens only its own session'],
      [
        'recordSession',
        'ignored with a warning',
        'is served under /v2/interact as well',
        'nothing is recorded; /replay is 404',
      ],
      ['execute: code, timeout', 'supported', 'returns the error of failed code'],
      ['cdpUrl', 'supported', 'serves DevTools at every process to clients with the token'],
    ]),
    ...on('sessions-team', [
      ['credits, limit of sessions', 'supported', 'reserves credits for the complete lifetime of a session'],
    ]),
    ...on('interact', [
      ['interact: code, timeout', 'supported', 'continues on the page of the scrape'],
      ['interact: prompt', 'supported', 'carries out a prompt'],
      [
        'interact: mobile, location of the scrape',
        'supported',
        'keeps the device and the location of the scrape',
      ],
      [
        'interact: headers of the scrape',
        'ignored with a warning',
        'warns that headers of the scrape are not stored',
        'the page is opened without them',
      ],
    ]),
    ...on('client-sessions', [
      ['language', 'supported', 'opens, uses, lists and deletes a browser'],
      ['stopInteraction', 'supported', 'interacts with a scraped page'],
    ]),
  ],
  Formats: [
    ...on('scrape', [
      ['markdown, html, rawHtml, links, images', 'supported', 'returns every requested format'],
    ]),
    ...on('browser', [['screenshot', 'supported', 'returns a PNG of the visible part']]),
    ...on('formats', [
      ['attributes', 'supported', 'returns the values of an attribute'],
      ['branding', 'supported', 'reads colours, fonts and the button'],
      ['product', 'supported', 'returns the product that the page states'],
      ['audio', 'supported', 'returns the audio of a page as MP3'],
      ['rawBase64', 'supported', 'returns the body as received'],
      ['changeTracking: git-diff, tag', 'supported', 'returns new, same or changed, with a diff'],
    ]),
    ...on('tracked-values', [
      ['changeTracking: json, schema, prompt', 'supported', 'returns changed fields with both values'],
    ]),
    ...on('passages', [
      ['summary', 'supported', 'of %s quotes the page, at no extra price'],
      ['question', 'supported', 'returns a short answer if it is certain, and quotes the page'],
      ['highlights', 'supported', 'returns verbatim passages of the page for four more credits'],
      ['query: prompt, mode', 'supported', 'accepts the older name of the format'],
    ]),
    ...on('formats', [
      [
        'chunks',
        'ignored with a warning',
        'names removed formats and alternatives in the warning',
        'not in the API; [removed](removed.md#formats)',
      ],
      [
        'menu',
        'ignored with a warning',
        'names removed formats and alternatives in the warning',
        'not enabled by default there; [removed](removed.md#formats)',
      ],
    ]),
    ...on('blocks', [
      ['blocks', 'supported', 'marks the blocks of the page that are in the Markdown', 'not in the API'],
    ]),
    ...on('json', [
      ['json: schema', 'supported', 'returns the values of the page with evidence, and names missing ones'],
      ['deterministicJson', 'supported', 'returns the same values with evidence every time'],
    ]),
    ...on('client-habits', [
      [
        'video',
        'ignored with a warning',
        'names the unavailable format and returns the others',
        'other formats are returned; alone it is a 400',
      ],
    ]),
  ],
  Actions: on('actions', [
    ['click, write, press', 'supported', 'clicks, writes and presses in order'],
    ['wait', 'supported', 'waits for a time and for an element'],
    ['scroll', 'supported', 'scrolls the page and an element'],
    ['executeJavascript', 'supported', 'returns the result of scripts'],
    ['executeJavascript: circles, functions, elements', 'supported', 'returns any value of a script'],
    ['screenshot, scrape, pdf (generatePDF)', 'supported', 'takes screenshots, pages and PDFs'],
    ['limits: 50 actions, 60 s of waiting', 'rejected', 'rejects actions beyond a limit with %s'],
  ]),
}

export function compatibilityPage(): string {
  const parts = Object.entries(compatibility).map(([title, rows]) => {
    const lines = rows.map(
      ({ what, state, file, test, note }) =>
        `| ${what} | ${state}${note ? `: ${note}` : ''} | ${file}: ${test.replaceAll('|', '\\|')} |`,
    )
    return `## ${title}\n\n| Option | Support | Test |\n|---|---|---|\n${lines.join('\n')}\n`
  })
  return `# Compatibility

Support of the options, formats and actions of the API. Each row names the end-to-end test that shows it, in
\`test/e2e/\`; the tests run on SQLite, on PostgreSQL with several processes, or on both, in real Chromium. Written by
\`npm test -- test/compatibility.test.ts -u\`.

${parts.join('\n')}`
}

/** Returns rows whose test does not exist. */
export function unproven(): string[] {
  const files = new Map(readdirSync('test/e2e').map((name) => [name.split('.')[0], name]))
  const textOf = (file: string) => readFileSync(`test/e2e/${files.get(file)}`, 'utf8')
  return Object.values(compatibility)
    .flat()
    .filter(({ file, test }) => !textOf(file).includes(test))
    .map(({ what, file, test }) => `${what}: no test "${test}" in ${file}`)
}
