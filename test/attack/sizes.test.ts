import { expect, inject, it } from 'vitest'
import { type Answer, call, callAt } from '../api.ts'
import { attackClass } from './attack.ts'
import { type Oversized, searchSizes } from './search-sizes.ts'

const url = 'https://a.example/'
const repeatLetter = (length: number) => 'a'.repeat(length)
const repeat = <Entry>(count: number, entry: Entry) => Array.from({ length: count }, () => entry)
const nested = (name: string, depth: number) => `${`${name}(`.repeat(depth)}a${')'.repeat(depth)}`
const headers = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, value]))

const scrapeSizesOf = (what: string, options: object, bound: string): Oversized[] => [
  { what, path: '/v2/scrape', body: { url, ...options }, bound },
  { what, path: '/v2/batch/scrape', body: { urls: [url], ...options }, bound },
  { what, path: '/v2/crawl', body: { url, scrapeOptions: options }, bound },
]
const patternSizesOf = (what: string, patterns: string[], bound: string): Oversized[] =>
  ['includePaths', 'excludePaths'].flatMap((list) => [
    { what, path: '/v2/crawl', body: { url, [list]: patterns }, bound },
    { what, path: '/v2/map', body: { url, [list]: patterns }, bound },
  ])
const webhookSizesOf = (what: string, webhook: unknown, bound: string): Oversized[] => [
  { what, path: '/v2/crawl', body: { url, webhook }, bound },
  { what, path: '/v2/batch/scrape', body: { urls: [url], webhook }, bound },
  { what, path: '/v2/webhooks/test', body: { webhook }, bound },
]

const scrapeSizes: Oversized[] = [
  ...['includeTags', 'excludeTags'].flatMap((list) => [
    ...scrapeSizesOf(`${list}: many`, { [list]: repeat(101, 'p') }, 'MAX_SELECTORS'),
    ...scrapeSizesOf(`${list}: long`, { [list]: [repeatLetter(2001)] }, 'MAX_SELECTOR_LENGTH'),
    ...scrapeSizesOf(
      `${list}: long together`,
      { [list]: repeat(11, repeatLetter(1990)) },
      'MAX_SELECTORS_LENGTH',
    ),
    ...[':not', ':has', ':is', ':where', ':matches'].flatMap((name) =>
      scrapeSizesOf(`${list}: ${name} in ${name}`, { [list]: [nested(name, 150)] }, 'MAX_SELECTOR_DEPTH'),
    ),
    ...scrapeSizesOf(`${list}: a megabyte`, { [list]: ['a,'.repeat(500_000)] }, 'MAX_SELECTOR_LENGTH'),
  ]),
  ...scrapeSizesOf('headers: many', { headers: headers(101, 'x') }, 'MAX_HEADERS'),
  ...scrapeSizesOf('headers: long name', { headers: { [repeatLetter(201)]: 'x' } }, 'MAX_HEADER_NAME_LENGTH'),
  ...scrapeSizesOf('headers: long value', { headers: { 'x-a': repeatLetter(8193) } }, 'MAX_HEADER_LENGTH'),
  ...scrapeSizesOf(
    'headers: long together',
    { headers: headers(90, repeatLetter(8000)) },
    'MAX_HEADERS_BYTES',
  ),
  ...scrapeSizesOf('formats: many', { formats: repeat(51, 'markdown') }, 'MAX_FORMATS'),
  ...scrapeSizesOf(
    'changeTracking: tag',
    { formats: ['markdown', { type: 'changeTracking', tag: repeatLetter(129) }] },
    'MAX_TAG_LENGTH',
  ),
  ...scrapeSizesOf(
    'changeTracking: modes',
    { formats: ['markdown', { type: 'changeTracking', modes: repeat(11, 'git-diff') }] },
    'MAX_MODES',
  ),
  ...scrapeSizesOf(
    'changeTracking: schema',
    { formats: ['markdown', { type: 'changeTracking', schema: { title: repeatLetter(100_001) } }] },
    'MAX_SCHEMA_BYTES',
  ),
  ...scrapeSizesOf(
    'changeTracking: prompt',
    { formats: ['markdown', { type: 'changeTracking', prompt: repeatLetter(10_001) }] },
    'MAX_PROMPT_LENGTH',
  ),
  ...scrapeSizesOf(
    'attributes: many',
    { formats: [{ type: 'attributes', selectors: repeat(101, { selector: 'a', attribute: 'href' }) }] },
    'MAX_SELECTORS',
  ),
  ...scrapeSizesOf(
    'attributes: long selector',
    { formats: [{ type: 'attributes', selectors: [{ selector: repeatLetter(2001), attribute: 'href' }] }] },
    'MAX_SELECTOR_LENGTH',
  ),
  ...scrapeSizesOf(
    'attributes: deep selector',
    { formats: [{ type: 'attributes', selectors: [{ selector: nested(':has', 50), attribute: 'href' }] }] },
    'MAX_SELECTOR_DEPTH',
  ),
  ...scrapeSizesOf(
    'attributes: long name',
    { formats: [{ type: 'attributes', selectors: [{ selector: 'a', attribute: repeatLetter(201) }] }] },
    'MAX_ATTRIBUTE_LENGTH',
  ),
  ...scrapeSizesOf('languages: many', { location: { languages: repeat(21, 'de') } }, 'MAX_LANGUAGES'),
  ...scrapeSizesOf('languages: long', { location: { languages: [repeatLetter(36)] } }, 'MAX_LANGUAGE_LENGTH'),
  ...scrapeSizesOf('parsers: many', { parsers: repeat(11, 'pdf') }, 'MAX_PARSERS'),
  ...scrapeSizesOf('profile: name', { profile: { name: repeatLetter(129) } }, 'MAX_PROFILE_NAME_LENGTH'),
  ...scrapeSizesOf('redactPII', { redactPII: { entities: repeat(21, 'EMAIL') } }, 'MAX_ENTITIES'),
  ...scrapeSizesOf('actions: many', { actions: repeat(51, { type: 'scroll' }) }, 'MAX_ACTIONS'),
  ...scrapeSizesOf(
    'actions: script',
    { actions: [{ type: 'executeJavascript', script: repeatLetter(100_001) }] },
    'MAX_SCRIPT_LENGTH',
  ),
  ...scrapeSizesOf(
    'actions: scripts together',
    { actions: repeat(6, { type: 'executeJavascript', script: repeatLetter(99_000) }) },
    'MAX_SCRIPTS_LENGTH',
  ),
  ...scrapeSizesOf(
    'actions: text',
    { actions: [{ type: 'write', text: repeatLetter(10_001) }] },
    'MAX_TEXT_LENGTH',
  ),
  ...scrapeSizesOf(
    'actions: key',
    { actions: [{ type: 'press', key: repeatLetter(101) }] },
    'MAX_KEY_LENGTH',
  ),
  ...scrapeSizesOf(
    'actions: selector',
    { actions: [{ type: 'click', selector: repeatLetter(2001) }] },
    'MAX_SELECTOR_LENGTH',
  ),
]

const otherSizes: Oversized[] = [
  ...['/v2/scrape', '/v2/crawl', '/v2/map', '/v2/crawl/params-preview'].map((path) => ({
    what: 'url',
    path,
    body: { url: `https://a.example/${repeatLetter(8192)}`, prompt: 'x' },
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
      body: { ...(body as object), [label]: repeatLetter(201) },
      bound: 'MAX_LABEL_LENGTH',
    })),
  ),
  {
    what: 'urls: many',
    path: '/v2/batch/scrape',
    body: { urls: repeat(10_001, url) },
    bound: 'MAX_BATCH_URLS',
  },
  {
    what: 'urls: long',
    path: '/v2/batch/scrape',
    body: { urls: [`https://a.example/${repeatLetter(8192)}`] },
    bound: 'MAX_URL_LENGTH',
  },
  {
    what: 'appendToId',
    path: '/v2/batch/scrape',
    body: { urls: [url], appendToId: repeatLetter(201) },
    bound: 'MAX_ID_LENGTH',
  },
  ...['/v2/crawl', '/v2/crawl/params-preview'].map((path) => ({
    what: 'prompt',
    path,
    body: { url, prompt: repeatLetter(10_001) },
    bound: 'MAX_PROMPT_LENGTH',
  })),
  { what: 'search', path: '/v2/map', body: { url, search: repeatLetter(2001) }, bound: 'MAX_SEARCH_LENGTH' },
  {
    what: 'robotsUserAgent',
    path: '/v2/crawl',
    body: { url, robotsUserAgent: repeatLetter(201) },
    bound: 'MAX_AGENT_NAME_LENGTH',
  },
  ...patternSizesOf('patterns: many', repeat(1001, '/a'), 'MAX_PATTERNS'),
  ...patternSizesOf('patterns: long', [repeatLetter(2001)], 'MAX_PATTERN_LENGTH'),
  ...patternSizesOf('patterns: repeated', ['(?:abcdefghij){1000}'], 'MAX_PATTERN_SIZE'),
  ...patternSizesOf('patterns: repeated in a row', ['a{1000}'.repeat(285)], 'MAX_PATTERN_SIZE'),
  ...patternSizesOf('patterns: repeated inside', ['(?:(?:ab{9}){9}){12}'.repeat(3)], 'MAX_PATTERN_SIZE'),
  ...patternSizesOf('patterns: Unicode classes', ['\\pL'.repeat(600)], 'MAX_PATTERN_SIZE'),
  ...patternSizesOf('patterns: repeated over the list', repeat(1000, 'a{1000}'), 'MAX_PATTERNS_SIZE'),
  ...webhookSizesOf('webhook: url', `https://a.example/${repeatLetter(8192)}`, 'MAX_URL_LENGTH'),
  ...webhookSizesOf('webhook: headers', { url, headers: headers(101, 'x') }, 'MAX_HEADERS'),
  ...webhookSizesOf(
    'webhook: header name',
    { url, headers: { [repeatLetter(201)]: 'x' } },
    'MAX_HEADER_NAME_LENGTH',
  ),
  ...webhookSizesOf('webhook: header', { url, headers: { 'x-a': repeatLetter(8193) } }, 'MAX_HEADER_LENGTH'),
  ...webhookSizesOf(
    'webhook: headers together',
    { url, headers: headers(90, repeatLetter(8000)) },
    'MAX_HEADERS_BYTES',
  ),
  ...webhookSizesOf(
    'webhook: metadata',
    { url, metadata: { note: repeatLetter(10_001) } },
    'MAX_METADATA_BYTES',
  ),
  ...webhookSizesOf('webhook: metadata keys', { url, metadata: headers(5000, 'x') }, 'MAX_METADATA_BYTES'),
  ...webhookSizesOf('webhook: events', { url, events: repeat(51, 'page') }, 'MAX_WEBHOOK_EVENTS'),
  ...webhookSizesOf('webhook: event', { url, events: [`${repeatLetter(101)}.page`] }, 'MAX_EVENT_LENGTH'),
  ...['/v2/browser', '/v2/interact'].flatMap((path) => [
    {
      what: 'profile: name',
      path,
      body: { profile: { name: repeatLetter(129) } },
      bound: 'MAX_PROFILE_NAME_LENGTH',
    },
    {
      what: 'code',
      path: `${path}/00000000-0000-7000-8000-000000000000/execute`,
      body: { code: repeatLetter(100_001) },
      bound: 'MAX_SCRIPT_LENGTH',
    },
  ]),
  {
    what: 'prompt',
    path: '/v2/scrape/00000000-0000-7000-8000-000000000000/interact',
    body: { prompt: repeatLetter(10_001) },
    bound: 'MAX_PROMPT_LENGTH',
  },
  ...searchSizes,
  ...['/v2/batch/scrape', '/v2/crawl'].map((path) => ({
    what: 'idempotency key',
    path,
    body: path.endsWith('crawl') ? { url } : { urls: [url] },
    headers: { 'x-idempotency-key': repeatLetter(257) },
    bound: 'MAX_IDEMPOTENCY_KEY_LENGTH',
  })),
]

/** Bodies whose parsing costs much more than their size suggests. */
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
  ['eleven megabytes', JSON.stringify({ url: repeatLetter(11 * 1024 * 1024) }), 'MAX_REQUEST_MB'],
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
  concurrency: 4,
  run: async ({ path, body, bound, headers: sent = {} }) =>
    findHarm(await call('POST', path, { body, headers: sent }), bound),
})

attackClass({
  name: 'sizes: bodies that cost more than they weigh',
  vectors: bodyPaths.flatMap((path) => bodies.map(([what, body, bound]) => ({ what, path, bound, body }))),
  // Every body once, spread over the paths.
  short: 11,
  run: async ({ path, body, bound }) => {
    const { urls, key } = inject('deployment')
    const began = performance.now()
    const [response, health] = await Promise.all([
      callAt(urls[0] ?? '', 'POST', path, { key, body }),
      callAt(urls[0] ?? '', 'GET', '/health/live', {}),
    ])
    if (performance.now() - began > 20_000) return 'took longer than 20 s'
    return health.status === 200 ? findHarm(response, bound) : 'health did not answer'
  },
})

attackClass({
  name: 'sizes: queries and paths',
  vectors: [
    `/v2/team/activity?cursor=${repeatLetter(201)}`,
    `/v2/team/activity?limit=${repeatLetter(201)}`,
    `/v2/team/credit-usage/historical?byApiKey=${repeatLetter(201)}`,
    `/v2/webhooks/deliveries?cursor=${repeatLetter(300)}`,
    `/v2/feedback?cursor=${repeatLetter(300)}`,
    `/v2/search/research/papers?query=${repeatLetter(2001)}`,
    `/v2/search/research/papers?query=x&authors=${repeatLetter(201)}`,
    `/v2/search/research/papers/1/similar?intent=x${'&anchor=1'.repeat(11)}`,
    `/v2/webhooks/deliveries?jobId=${repeatLetter(300)}`,
    ...['/v2/scrape', '/v2/crawl', '/v2/batch/scrape', '/v2/browser'].map(
      (path) => `${path}/${repeatLetter(400)}`,
    ),
  ],
  run: async (path) => {
    const { status, body } = await call('GET', path)
    return status === 400 && body.success === false ? undefined : `answered ${status}`
  },
})

it('accepts values within every bound', async () => {
  const unknownId = '00000000-0000-7000-8000-000000000000'
  const urls = Array.from({ length: 10_000 }, (_, index) => `${url}${index}/${repeatLetter(900)}`)
  // The id is checked after everything else was found valid, and no job is started.
  const { status, body } = await call('POST', '/v2/batch/scrape', { body: { urls, appendToId: unknownId } })
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'JOB_NOT_FOUND' })
})

/** Returns undefined if the call was rejected with the name and the value of the bound, otherwise the harm. */
function findHarm({ status, body }: Answer, bound: string): string | undefined {
  if (status !== 400 && status !== 413) return `answered ${status} ${JSON.stringify(body).slice(0, 200)}`
  if (body.bound !== bound) return `names ${body.bound}: ${String(body.error).slice(0, 200)}`
  if (typeof body.most !== 'number' || !body.error.includes(bound) || !body.error.includes(String(body.most)))
    return `says ${String(body.error).slice(0, 200)}`
  const size = JSON.stringify(body).length
  return size > 20_000 ? `answered with ${size} characters` : undefined
}
