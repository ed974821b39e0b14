import { expect, inject, it } from 'vitest'
import { type Answer, call, callAt } from '../api.ts'
import { attackClass } from './attack.ts'
import { type Oversized, searchSizes } from './search-sizes.ts'

const url = 'https://a.example/'
const long = (length: number) => 'a'.repeat(length)
const many = <Entry>(count: number, entry: Entry) => Array.from({ length: count }, () => entry)
const nested = (name: string, depth: number) => `${`${name}(`.repeat(depth)}a${')'.repeat(depth)}`
const headers = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, value]))

const inScrape = (what: string, options: object, bound: string): Oversized[] => [
  { what, path: '/v2/scrape', body: { url, ...options }, bound },
  { what, path: '/v2/batch/scrape', body: { urls: [url], ...options }, bound },
  { what, path: '/v2/crawl', body: { url, scrapeOptions: options }, bound },
]
const inPatterns = (what: string, patterns: string[], bound: string): Oversized[] =>
  ['includePaths', 'excludePaths'].flatMap((list) => [
    { what, path: '/v2/crawl', body: { url, [list]: patterns }, bound },
    { what, path: '/v2/map', body: { url, [list]: patterns }, bound },
  ])
const inWebhook = (what: string, webhook: unknown, bound: string): Oversized[] => [
  { what, path: '/v2/crawl', body: { url, webhook }, bound },
  { what, path: '/v2/batch/scrape', body: { urls: [url], webhook }, bound },
  { what, path: '/v2/webhooks/test', body: { webhook }, bound },
]

const scrapeSizes: Oversized[] = [
  ...['includeTags', 'excludeTags'].flatMap((list) => [
    ...inScrape(`${list}: many`, { [list]: many(101, 'p') }, 'MAX_SELECTORS'),
    ...inScrape(`${list}: long`, { [list]: [long(2001)] }, 'MAX_SELECTOR_LENGTH'),
    ...inScrape(`${list}: long together`, { [list]: many(11, long(1990)) }, 'MAX_SELECTORS_LENGTH'),
    ...[':not', ':has', ':is', ':where', ':matches'].flatMap((name) =>
      inScrape(`${list}: ${name} in ${name}`, { [list]: [nested(name, 150)] }, 'MAX_SELECTOR_DEPTH'),
    ),
    ...inScrape(`${list}: a megabyte`, { [list]: ['a,'.repeat(500_000)] }, 'MAX_SELECTOR_LENGTH'),
  ]),
  ...inScrape('headers: many', { headers: headers(101, 'x') }, 'MAX_HEADERS'),
  ...inScrape('headers: long name', { headers: { [long(201)]: 'x' } }, 'MAX_HEADER_NAME_LENGTH'),
  ...inScrape('headers: long value', { headers: { 'x-a': long(8193) } }, 'MAX_HEADER_LENGTH'),
  ...inScrape('headers: long together', { headers: headers(90, long(8000)) }, 'MAX_HEADERS_BYTES'),
  ...inScrape('formats: many', { formats: many(51, 'markdown') }, 'MAX_FORMATS'),
  ...inScrape(
    'changeTracking: tag',
    { formats: ['markdown', { type: 'changeTracking', tag: long(129) }] },
    'MAX_TAG_LENGTH',
  ),
  ...inScrape(
    'changeTracking: modes',
    { formats: ['markdown', { type: 'changeTracking', modes: many(11, 'git-diff') }] },
    'MAX_MODES',
  ),
  ...inScrape(
    'changeTracking: schema',
    { formats: ['markdown', { type: 'changeTracking', schema: { title: long(100_001) } }] },
    'MAX_SCHEMA_BYTES',
  ),
  ...inScrape(
    'changeTracking: prompt',
    { formats: ['markdown', { type: 'changeTracking', prompt: long(10_001) }] },
    'MAX_PROMPT_LENGTH',
  ),
  ...inScrape(
    'attributes: many',
    { formats: [{ type: 'attributes', selectors: many(101, { selector: 'a', attribute: 'href' }) }] },
    'MAX_SELECTORS',
  ),
  ...inScrape(
    'attributes: long selector',
    { formats: [{ type: 'attributes', selectors: [{ selector: long(2001), attribute: 'href' }] }] },
    'MAX_SELECTOR_LENGTH',
  ),
  ...inScrape(
    'attributes: deep selector',
    { formats: [{ type: 'attributes', selectors: [{ selector: nested(':has', 50), attribute: 'href' }] }] },
    'MAX_SELECTOR_DEPTH',
  ),
  ...inScrape(
    'attributes: long name',
    { formats: [{ type: 'attributes', selectors: [{ selector: 'a', attribute: long(201) }] }] },
    'MAX_ATTRIBUTE_LENGTH',
  ),
  ...inScrape('languages: many', { location: { languages: many(21, 'de') } }, 'MAX_LANGUAGES'),
  ...inScrape('languages: long', { location: { languages: [long(36)] } }, 'MAX_LANGUAGE_LENGTH'),
  ...inScrape('parsers: many', { parsers: many(11, 'pdf') }, 'MAX_PARSERS'),
  ...inScrape('profile: name', { profile: { name: long(129) } }, 'MAX_PROFILE_NAME_LENGTH'),
  ...inScrape('redactPII', { redactPII: { entities: many(21, 'EMAIL') } }, 'MAX_ENTITIES'),
  ...inScrape('actions: many', { actions: many(51, { type: 'scroll' }) }, 'MAX_ACTIONS'),
  ...inScrape(
    'actions: script',
    { actions: [{ type: 'executeJavascript', script: long(100_001) }] },
    'MAX_SCRIPT_LENGTH',
  ),
  ...inScrape(
    'actions: scripts together',
    { actions: many(6, { type: 'executeJavascript', script: long(99_000) }) },
    'MAX_SCRIPTS_LENGTH',
  ),
  ...inScrape('actions: text', { actions: [{ type: 'write', text: long(10_001) }] }, 'MAX_TEXT_LENGTH'),
  ...inScrape('actions: key', { actions: [{ type: 'press', key: long(101) }] }, 'MAX_KEY_LENGTH'),
  ...inScrape(
    'actions: selector',
    { actions: [{ type: 'click', selector: long(2001) }] },
    'MAX_SELECTOR_LENGTH',
  ),
]

const otherSizes: Oversized[] = [
  ...['/v2/scrape', '/v2/crawl', '/v2/map', '/v2/crawl/params-preview'].map((path) => ({
    what: 'url',
    path,
    body: { url: `https://a.example/${long(8192)}`, prompt: 'x' },
    bound: 'MAX_URL_LENGTH',
  })),
  ...['origin', 'integration'].flatMap((label) =>
    [
      ['/v2/scrape', { url }],
      ['/v2/map', { url }],
      ['/v2/crawl', { url }],
      ['/v2/batch/scrape', { urls: [url] }],
      ['/v2/browser', {}],
      ['/v2/interact', {}],
    ].map(([path, body]) => ({
      what: label,
      path: String(path),
      body: { ...(body as object), [label]: long(201) },
      bound: 'MAX_LABEL_LENGTH',
    })),
  ),
  {
    what: 'urls: many',
    path: '/v2/batch/scrape',
    body: { urls: many(10_001, url) },
    bound: 'MAX_BATCH_URLS',
  },
  {
    what: 'urls: long',
    path: '/v2/batch/scrape',
    body: { urls: [`https://a.example/${long(8192)}`] },
    bound: 'MAX_URL_LENGTH',
  },
  {
    what: 'appendToId',
    path: '/v2/batch/scrape',
    body: { urls: [url], appendToId: long(201) },
    bound: 'MAX_ID_LENGTH',
  },
  ...['/v2/crawl', '/v2/crawl/params-preview'].map((path) => ({
    what: 'prompt',
    path,
    body: { url, prompt: long(10_001) },
    bound: 'MAX_PROMPT_LENGTH',
  })),
  { what: 'search', path: '/v2/map', body: { url, search: long(2001) }, bound: 'MAX_SEARCH_LENGTH' },
  {
    what: 'robotsUserAgent',
    path: '/v2/crawl',
    body: { url, robotsUserAgent: long(201) },
    bound: 'MAX_AGENT_NAME_LENGTH',
  },
  ...inPatterns('patterns: many', many(1001, '/a'), 'MAX_PATTERNS'),
  ...inPatterns('patterns: long', [long(2001)], 'MAX_PATTERN_LENGTH'),
  ...inPatterns('patterns: repeated', ['(?:abcdefghij){1000}'], 'MAX_PATTERN_SIZE'),
  ...inPatterns('patterns: repeated in a row', ['a{1000}'.repeat(285)], 'MAX_PATTERN_SIZE'),
  ...inPatterns('patterns: repeated inside', ['(?:(?:ab{9}){9}){12}'.repeat(3)], 'MAX_PATTERN_SIZE'),
  ...inPatterns('patterns: Unicode classes', ['\\pL'.repeat(600)], 'MAX_PATTERN_SIZE'),
  ...inPatterns('patterns: repeated over the list', many(1000, 'a{1000}'), 'MAX_PATTERNS_SIZE'),
  ...inWebhook('webhook: url', `https://a.example/${long(8192)}`, 'MAX_URL_LENGTH'),
  ...inWebhook('webhook: headers', { url, headers: headers(101, 'x') }, 'MAX_HEADERS'),
  ...inWebhook('webhook: header name', { url, headers: { [long(201)]: 'x' } }, 'MAX_HEADER_NAME_LENGTH'),
  ...inWebhook('webhook: header', { url, headers: { 'x-a': long(8193) } }, 'MAX_HEADER_LENGTH'),
  ...inWebhook('webhook: headers together', { url, headers: headers(90, long(8000)) }, 'MAX_HEADERS_BYTES'),
  ...inWebhook('webhook: metadata', { url, metadata: { note: long(10_001) } }, 'MAX_METADATA_BYTES'),
  ...inWebhook('webhook: metadata keys', { url, metadata: headers(5000, 'x') }, 'MAX_METADATA_BYTES'),
  ...inWebhook('webhook: events', { url, events: many(51, 'page') }, 'MAX_WEBHOOK_EVENTS'),
  ...inWebhook('webhook: event', { url, events: [`${long(101)}.page`] }, 'MAX_EVENT_LENGTH'),
  ...['/v2/browser', '/v2/interact'].flatMap((path) => [
    { what: 'profile: name', path, body: { profile: { name: long(129) } }, bound: 'MAX_PROFILE_NAME_LENGTH' },
    {
      what: 'code',
      path: `${path}/00000000-0000-7000-8000-000000000000/execute`,
      body: { code: long(100_001) },
      bound: 'MAX_SCRIPT_LENGTH',
    },
  ]),
  {
    what: 'prompt',
    path: '/v2/scrape/00000000-0000-7000-8000-000000000000/interact',
    body: { prompt: long(10_001) },
    bound: 'MAX_PROMPT_LENGTH',
  },
  ...searchSizes,
  ...['/v2/batch/scrape', '/v2/crawl'].map((path) => ({
    what: 'idempotency key',
    path,
    body: path.endsWith('crawl') ? { url } : { urls: [url] },
    headers: { 'x-idempotency-key': long(257) },
    bound: 'MAX_IDEMPOTENCY_KEY_LENGTH',
  })),
]

/** Bodies that cost more to parse than to send. */
const bodies: [string, string, string][] = [
  ['lists in lists', `{"url":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`, 'MAX_JSON_DEPTH'],
  ['lists that never end', '['.repeat(9_000_000), 'MAX_JSON_DEPTH'],
  ['objects in objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'MAX_JSON_DEPTH'],
  ['empty lists', `{"url":[${'[],'.repeat(3_000_000)}1]}`, 'MAX_JSON_VALUES'],
  ['a million numbers', `{"url":[${'1,'.repeat(4_000_000)}1]}`, 'MAX_JSON_VALUES'],
  [
    'a million keys',
    `{${Array.from({ length: 800_000 }, (_, index) => `"${index}":1`).join()}}`,
    'MAX_JSON_VALUES',
  ],
  ['a million empty keys', `{${'"":1,'.repeat(1_500_000)}"a":1}`, 'MAX_JSON_VALUES'],
  ['brackets after quotes', `{"\\"[[":"]\\\\",${'"a":['.repeat(100)}${']'.repeat(100)}}`, 'MAX_JSON_DEPTH'],
  ['eleven megabytes', JSON.stringify({ url: long(11 * 1024 * 1024) }), 'MAX_REQUEST_MB'],
]
const bodyPaths = [
  '/v2/scrape',
  '/v2/batch/scrape',
  '/v2/crawl',
  '/v2/map',
  '/v2/browser',
  '/v2/webhooks/test',
]

attackClass({
  name: 'sizes: more of an option than its bound',
  vectors: [...scrapeSizes, ...otherSizes],
  atOnce: 4,
  strike: async ({ path, body, bound, headers: sent = {} }) =>
    harmOf(await call('POST', path, { body, headers: sent }), bound),
})

attackClass({
  name: 'sizes: bodies that cost more than they weigh',
  vectors: bodyPaths.flatMap((path) => bodies.map(([what, body, bound]) => ({ what, path, bound, body }))),
  // Every body once, spread over the paths.
  short: 11,
  strike: async ({ path, body, bound }) => {
    const { urls, key } = inject('deployment')
    const began = performance.now()
    const [answer, health] = await Promise.all([
      callAt(urls[0] ?? '', 'POST', path, { key, body }),
      callAt(urls[0] ?? '', 'GET', '/health/live', {}),
    ])
    if (performance.now() - began > 20_000) return 'took longer than 20 s'
    return health.status === 200 ? harmOf(answer, bound) : 'health did not answer'
  },
})

attackClass({
  name: 'sizes: queries and paths',
  vectors: [
    `/v2/team/activity?cursor=${long(201)}`,
    `/v2/team/activity?limit=${long(201)}`,
    `/v2/team/credit-usage/historical?byApiKey=${long(201)}`,
    `/v2/webhooks/deliveries?cursor=${long(300)}`,
    `/v2/feedback?cursor=${long(300)}`,
    `/v2/search/research/papers?query=${long(2001)}`,
    `/v2/search/research/papers?query=x&authors=${long(201)}`,
    `/v2/search/research/papers/1/similar?intent=x${'&anchor=1'.repeat(11)}`,
    `/v2/webhooks/deliveries?jobId=${long(300)}`,
    ...['/v2/scrape', '/v2/crawl', '/v2/batch/scrape', '/v2/browser'].map((path) => `${path}/${long(400)}`),
  ],
  strike: async (path) => {
    const { status, body } = await call('GET', path)
    return status === 400 && body.success === false ? undefined : `answered ${status}`
  },
})

it('lets through what stays within every bound', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000'
  const urls = Array.from({ length: 10_000 }, (_, index) => `${url}${index}/${long(900)}`)
  // The id is looked up when everything else has been found in order, and nothing is started.
  const { status, body } = await call('POST', '/v2/batch/scrape', { body: { urls, appendToId: nobody } })
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'JOB_NOT_FOUND' })
})

/** Nothing, where the call was refused with the name of the bound and its value. */
function harmOf({ status, body }: Answer, bound: string): string | undefined {
  if (status !== 400 && status !== 413) return `answered ${status} ${JSON.stringify(body).slice(0, 200)}`
  if (body.bound !== bound) return `names ${body.bound}: ${String(body.error).slice(0, 200)}`
  if (typeof body.most !== 'number' || !body.error.includes(bound) || !body.error.includes(String(body.most)))
    return `says ${String(body.error).slice(0, 200)}`
  const size = JSON.stringify(body).length
  return size > 20_000 ? `answered with ${size} characters` : undefined
}
