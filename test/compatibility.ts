import { readdirSync, readFileSync } from 'node:fs'
import { on, type Row } from './compatibility-rows.ts'
import { v1Rows } from './compatibility-v1.ts'

/** Every option, format and action of the API, and the test that shows its behaviour. */
export const compatibility: Record<string, Row[]> = {
  'Options of a scrape': [
    ...on('scrape', [
      ['url', 'acts', 'returns Markdown and metadata of a page'],
      ['formats', 'acts', 'returns every format that was asked for'],
      ['includeTags, excludeTags', 'acts', 'keeps only what includeTags match'],
      ['headers', 'acts', 'sends the headers of the caller'],
      ['skipTlsVerification', 'acts', 'accepts a self-signed certificate by default'],
      ['timeout', 'acts', 'ends at its timeout and names the phase'],
      ['origin, integration', 'acts', 'accepts the labels that clients add'],
      ['threatProtection and other keys of clients', 'warns', 'names options that have no effect here'],
    ]),
    ...on('cache', [
      ['maxAge', 'acts', 'always asks the site with maxAge 0'],
      ['minAge, lockdown', 'acts', 'never asks the site with minAge or lockdown'],
      ['storeInCache', 'acts', 'keeps nothing that was fetched with headers'],
    ]),
    ...on('browser', [
      ['waitFor', 'acts', 'gives up its shadow roots and its frames'],
      ['mobile', 'acts', 'is a phone when mobile is asked for'],
      ['location', 'acts', 'follows the location'],
      ['fastMode', 'acts', 'says what it lacks when fastMode forbids a browser'],
    ]),
    ...on('formats', [['blockAds', 'acts', 'are kept away unless they are wanted']]),
    ...on('proxy', [
      ['proxy: basic, enhanced', 'acts', 'carry ordinary requests through the basic one'],
      ['proxy: auto', 'acts', 'go on to the enhanced one by themselves'],
    ]),
    ...on('client', [
      ['onlyMainContent, removeBase64Images', 'acts', 'scrapes with every option it knows'],
      ['actions', 'acts', 'scrapes with every option it knows'],
    ]),
    ...on('clean-content', [
      [
        'onlyCleanContent',
        'acts',
        'leaves out furniture that the ordinary result keeps',
        'by the block model; no language model is asked',
      ],
    ]),
    ...on('main-content-mode', [['mainContentMode', 'acts', 'is as much as the caller asks for']]),
    ...on('profile', [
      ['profile', 'acts', 'keeps who has logged in, and what pages store'],
      [
        'profile of crawls and batches',
        'acts',
        'is loaded by pages of a batch and of a crawl',
        '`saveChanges: true` is refused there',
      ],
    ]),
    ...on('redact', [
      [
        'redactPII',
        'acts',
        'takes personal data out of the Markdown',
        'by patterns; names and places need a language model, as `warning` says',
      ],
    ]),
    ...on('docs-search', [['support/docs-search', 'acts', 'is answered by sentences of its documentation']]),
    ...on('client-habits', [
      ['calls without a body that name a content type', 'acts', 'reaches every route that takes none'],
      ['monitor', 'refused', '%s %s asks for a key first', '501 with a hint'],
      ['alexandria', 'refused', 'is refused by its name where it takes the place of the address'],
    ]),
  ],
  'First version of the API (/v1)': v1Rows,
  'Crawl, batch, map, webhooks': [
    ...on('crawl', [
      ['includePaths, excludePaths', 'acts', 'follows patterns'],
      ['a start that they leave out', 'acts', 'follows the links of a start that its patterns leave out'],
      ['maxDiscoveryDepth', 'acts', 'goes no deeper than it may'],
      ['limit', 'acts', 'keeps a limit of %i exactly'],
      ['deduplicateSimilarURLs', 'acts', 'returns one page for addresses that are the same'],
      ['allowExternalLinks', 'acts', 'reaches one step into other sites'],
      ['crawlEntireDomain, maxConcurrency', 'acts', 'never has more pages under way than it may'],
      ['x-idempotency-key', 'acts', 'starts once per idempotency key'],
    ]),
    ...on('crawl-texts', [
      [
        'removeRepeatedContent',
        'acts',
        'is left out of most pages where the crawl asks for it, and headings are not',
      ],
    ]),
    ...on('crawl-rules', [
      ['ignoreRobotsTxt, robotsUserAgent', 'acts', 'are asked for the name that was given, or not at all'],
      ['sitemap', 'acts', 'name pages that no link leads to'],
      ['prompt, params-preview', 'acts', 'becomes options, and what was not understood is named'],
    ]),
    ...on('client-sites', [
      [
        'ignoreQueryParameters, allowSubdomains, regexOnFullURL, scrapeOptions',
        'acts',
        'crawls to the end with every option it knows',
      ],
      ['watcher', 'acts', 'watches a %s by WebSocket until it is done'],
    ]),
    ...on('batch-scrape', [
      ['appendToId', 'acts', 'grows by URLs that are added'],
      ['ignoreInvalidURLs', 'acts', 'leaves invalid URLs out and names them'],
      ['zeroDataRetention of crawls and batches', 'refused', 'refuses zero retention'],
    ]),
    ...on('map', [
      ['search', 'acts', 'knows titles, and puts pages in the order of relevance'],
      ['sitemap, ignoreCache', 'acts', 'keeps sitemaps, unless the cache is to be ignored'],
      ['ignoreQueryParameters, limit', 'acts', 'lists addresses with a query when told so'],
      ['timeout', 'acts', 'returns what it has when the time is up'],
    ]),
    ...on('search', [
      ['operators of a search', 'acts', '%s'],
      ['tbs', 'acts', 'limit by time, and sort by it'],
      ['includeDomains, excludeDomains', 'acts', 'are limits of domains as well'],
      ['sources: web, images, news', 'acts', 'come together, each with its own limit and options'],
      ['categories', 'acts', 'have categories'],
      ['scrapeOptions', 'acts', 'are scraped when formats are asked for'],
      ['asyncScraping', 'acts', 'are scraped later when told so'],
    ]),
    ...on('search-web', [
      ['country, location, lang', 'acts', 'operators, dates and places reach the engine'],
      ['ignoreInvalidURLs', 'acts', 'are left out where other endpoints would reject their address'],
    ]),
    ...on('research', [
      ['GET /search/research/papers', 'acts', 'finds papers by words, authors, categories and dates'],
      ['GET /search/research/papers/{id}', 'acts', 'gets a paper, and reads its passages'],
      ['…/similar', 'acts', 'finds papers that are related to others', '`rerank` has no effect'],
      ['GET /search/research/github', 'acts', 'searches GitHub'],
      ['GET, POST /search/developer', 'acts', 'comes by the published JavaScript client'],
      ['skills of a developer search', 'refused', 'says what is not to be had', '501 with a hint'],
    ]),
    ...on('feedback', [
      ['POST /search/{id}/feedback', 'acts', 'gives one credit back, once'],
      ['POST /feedback', 'acts', 'is taken for scrapes, maps and files'],
      ['feedbackErrorCode', 'acts', 'is refused by the names that clients know'],
    ]),
    ...on('webhooks', [
      ['webhook: url, headers, metadata', 'acts', 'tells of the start, of every page and of the end'],
      ['webhook: events', 'acts', 'tells only what was asked for'],
      ['signature', 'acts', 'is signed with a secret derived from WEBHOOK_SECRET'],
    ]),
  ],
  'Extract and agent': [
    ...on('extract', [
      ['urls, schema', 'acts', 'reads several pages by one schema, and joins their lists'],
      ['showSources', 'acts', 'takes the value that most pages state, and shows the others'],
      ['urls ending in /*, limit, ignoreSitemap, urlTrace', 'acts', 'finds the pages of a site'],
      ['enableWebSearch', 'acts', 'reads what a search finds'],
      ['ignoreInvalidURLs', 'acts', 'leaves invalid URLs out and names them'],
      ['timeout of an extract', 'acts', 'ends at its time'],
      ['agent of an extract, formats of its scrapeOptions', 'warns', 'says which options did nothing'],
      ['webhook of an extract', 'acts', 'tells a webhook how it ended, and of its pages'],
    ]),
    ...on('client-extract', [
      ['prompt, systemPrompt, scrapeOptions', 'acts', 'extracts, by a schema and by words'],
      ['startExtract, getExtractStatus', 'acts', 'starts an extract and reads its status'],
      ['agent, listAgents, trace, snapshots, threads', 'acts', 'runs an agent, and reads all of it'],
      ['cancelAgent', 'acts', 'cancels an agent', 'the status is then `failed`'],
    ]),
    ...on('agent', [
      ['prompt alone', 'acts', 'reads every page by one schema that the model makes of them'],
      ['without a model', 'refused', 'is refused without a model, as an agent is', '503 with its code'],
      ['maxCredits', 'acts', 'reads nothing that its budget does not allow'],
      ['strictConstrainToURLs', 'acts', 'stays with the pages of the caller if it must'],
      ['effort', 'acts', 'stops at its bound of steps'],
      ['threadId', 'acts', 'goes on in a thread, and is listed'],
      ['mode: chat', 'acts', 'answers in words that rest on pages'],
      ['webhook of an agent', 'acts', 'finds pages, reads them and tells what it did'],
      ['model, exchange', 'warns', 'names options that it does not use'],
    ]),
  ],
  'Browser sessions and interact': [
    ...on('sessions', [
      ['POST, GET, DELETE /browser', 'acts', 'is opened, used, listed, read and ended'],
      ['/interact as another name', 'acts', 'is served under /v2/interact as well'],
      ['ttl, activityTtl', 'acts', 'comes with its ttl and with its inactivity'],
      ['streamWebView', 'acts', 'open nothing else: not another session'],
      [
        'recordSession',
        'warns',
        'is served under /v2/interact as well',
        'nothing is recorded; /replay is 404',
      ],
      ['execute: code, timeout', 'acts', 'tells code that failed by its error'],
      ['cdpUrl', 'acts', 'work at every process, for those who have the token'],
    ]),
    ...on('sessions-team', [
      ['credits, limit of sessions', 'acts', 'has credits for the whole life of a session set aside'],
    ]),
    ...on('interact', [
      ['interact: code, timeout', 'acts', 'goes on where the scrape was'],
      ['interact: prompt', 'acts', 'carries out a prompt'],
      ['interact: mobile, location of the scrape', 'acts', 'keeps the device and the place of the scrape'],
      [
        'interact: headers of the scrape',
        'warns',
        'says that headers of the scrape are not kept',
        'the page is opened without them',
      ],
    ]),
    ...on('client-sessions', [
      ['language', 'acts', 'opens, uses, lists and deletes a browser'],
      ['stopInteraction', 'acts', 'interacts with a page that it has scraped'],
    ]),
  ],
  Formats: [
    ...on('scrape', [
      ['markdown, html, rawHtml, links, images', 'acts', 'returns every format that was asked for'],
    ]),
    ...on('browser', [['screenshot', 'acts', 'is a PNG of the first screen']]),
    ...on('formats', [
      ['attributes', 'acts', 'returns the values of an attribute'],
      ['branding', 'acts', 'reads colours, fonts and the button'],
      ['product', 'acts', 'reads what the page states'],
      ['audio', 'acts', 'is the recording of a page, as MP3'],
      ['rawBase64', 'acts', 'is the body as it was received'],
      ['changeTracking: git-diff, tag', 'acts', 'tells new, same, changed with a diff'],
    ]),
    ...on('tracked-values', [
      ['changeTracking: json, schema, prompt', 'acts', 'tells which fields have which other value'],
    ]),
    ...on('passages', [
      ['summary', 'acts', 'of %s quotes the page, at no extra price'],
      ['question', 'acts', 'is a short one where it is certain, and quotes the page'],
      ['highlights', 'acts', 'are passages of the page, word for word, and cost four credits more'],
      ['query: prompt, mode', 'acts', 'is also asked for by its older name'],
    ]),
    ...on('formats', [
      [
        'chunks',
        'warns',
        'are named in the warning with the alternative',
        'not in the API; [removed](removed.md#formats)',
      ],
      [
        'menu',
        'warns',
        'are named in the warning with the alternative',
        'not enabled by default there; [removed](removed.md#formats)',
      ],
    ]),
    ...on('blocks', [
      ['blocks', 'acts', 'say which texts of the page are in the Markdown', 'not in the API'],
    ]),
    ...on('json', [
      ['json: schema', 'acts', 'gives what the page says, with its evidence, and names the rest'],
      ['deterministicJson', 'acts', 'gives what rules read, with its evidence, the same every time'],
    ]),
    ...on('client-habits', [
      [
        'video',
        'warns',
        'is named beside the formats that it has',
        'the others come back; alone it is refused with 400',
      ],
    ]),
  ],
  Actions: on('actions', [
    ['click, write, press', 'acts', 'click, write and press in order'],
    ['wait', 'acts', 'wait for a time and for an element'],
    ['scroll', 'acts', 'scroll the page and an element'],
    ['executeJavascript', 'acts', 'return what scripts return'],
    ['executeJavascript: circles, functions, elements', 'acts', 'show whatever a script returns'],
    ['screenshot, scrape, pdf (generatePDF)', 'acts', 'take pictures, pages and PDFs'],
    ['limits: 50 actions, 60 s of waiting', 'refused', 'are refused with %s'],
  ]),
}

export function compatibilityPage(): string {
  const parts = Object.entries(compatibility).map(([title, rows]) => {
    const lines = rows.map(
      ({ what, state, file, test, note }) =>
        `| ${what} | ${state}${note ? `: ${note}` : ''} | ${file}: ${test.replaceAll('|', '\\|')} |`,
    )
    return `## ${title}\n\n| What | Here | Shown by |\n|---|---|---|\n${lines.join('\n')}\n`
  })
  return `# Compatibility

What the options, formats and actions of the API do here. Each row names the end-to-end test that shows it, in
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
