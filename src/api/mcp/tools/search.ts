import { z } from 'zod'
import { mapRequest } from '../../../features/map.ts'
import { categoryNames, searchRequest, sourceNames } from '../../../features/search/schema.ts'
import { supportQuestion } from '../../../features/support/schema.ts'
import { list, whole } from '../../../platform/bounded.ts'
import { postMap } from '../../endpoints/map.ts'
import { postSearch } from '../../endpoints/search.ts'
import { postSupportAsk } from '../../endpoints/service.ts'
import { asRecord, formatDocument, formatValues, oneLine, problemLine } from '../document-text.ts'
import { given, label, optional } from '../page-options.ts'
import { defineTool, maxCharacters, readsWeb } from '../tool.ts'

const { query, limit, includeDomains, excludeDomains, tbs, country } = searchRequest.shape

export const search = defineTool({
  name: 'search',
  title: 'Search the web',
  description:
    'Searches the web and the pages this service has kept. Returns titles, URLs and descriptions; with scrape: true also the text of each result. Use it when you do not know the URL.',
  hints: readsWeb,
  input: z.strictObject({
    query,
    limit: limit.unwrap().default(5).describe('Most results of each source.'),
    sources: list(z.enum(sourceNames), 'MAX_SEARCH_SOURCES')
      .optional()
      .describe('Where to look. Default: web.'),
    scrape: z
      .boolean()
      .default(false)
      .describe('Also read each result, as Markdown. Slower, and costs credits.'),
    categories: list(z.enum(categoryNames), 'MAX_SEARCH_SOURCES')
      .optional()
      .describe('Only web results of these kinds.'),
    includeDomains,
    excludeDomains,
    tbs: tbs.describe('Time range: qdr:h, d, w, m or y for the last hour, day, week, month or year.'),
    country,
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { maxCharacters: most, scrape, ...options } = input
    const scrapeOptions = scrape ? { formats: [{ type: 'markdown' }] } : undefined
    const body = { ...given({ ...options, scrapeOptions }), ...label }
    const answer = asRecord(await call(postSearch, { body }))
    const results = Object.entries(asRecord(answer.data)).flatMap(([source, found]) =>
      (Array.isArray(found) ? found : []).map((result) => ({ source, result })),
    )
    // Each result has its share, so that the first cannot use up what the last needs.
    const share = Math.max(500, Math.floor(most / Math.max(1, results.length)))
    const shown: string[] = []
    for (const { source, result } of results) shown.push(await showResult(source, result, { share, fence }))
    const notes = [
      ...(results.length === 0 ? ['Nothing was found. Other words, or fewer of them, may find more.'] : []),
      ...problemLine('Warning', answer.warning),
    ]
    return { text: [...shown, ...notes].join('\n\n') }
  },
})

async function showResult(
  source: string,
  result: unknown,
  { share, fence }: { share: number; fence: (text: string) => string },
): Promise<string> {
  const { url, title, description, snippet, imageUrl, date, ...page } = asRecord(result)
  const about = [
    `Title: ${oneLine(title)}`,
    ...(date === undefined ? [] : [`Date: ${oneLine(date)}`]),
    ...(imageUrl === undefined ? [] : [`Image: ${oneLine(imageUrl, 2000)}`]),
    oneLine(description ?? snippet, 1000),
  ]
  const read = page.metadata === undefined ? undefined : await formatDocument(page, { most: share, fence })
  const head = `${source}: ${oneLine(url, 2000)}`
  return [head, fence(about.join('\n')), ...(read ? [read.text] : [])].join('\n')
}

const site = mapRequest.shape

export const map = defineTool({
  name: 'map',
  title: 'List the pages of a site',
  description:
    'Lists the URLs of a site from its sitemaps and links, without reading the pages. Use it to find the right page of a known site before scrape; search orders the list by relevance.',
  hints: readsWeb,
  input: z.strictObject({
    url: site.url,
    search: site.search,
    limit: whole('MAX_MCP_LINKS', 1).default(200).describe('Most URLs to look for.'),
    offset: whole('MAX_MCP_OFFSET', 0).default(0).describe('URLs to leave out at the start, to read on.'),
    sitemap: optional(site.sitemap),
    includeSubdomains: optional(site.includeSubdomains),
    filterByPath: optional(site.filterByPath),
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { maxCharacters: most, offset, limit, ...options } = input
    const body = { ...given(options), limit: limit + offset, ...label }
    const { links, warning } = asRecord(await call(postMap, { body }))
    const found: unknown[] = Array.isArray(links) ? links : []
    const lines: string[] = []
    let left = most
    for (const link of found.slice(offset)) {
      const { url, title } = asRecord(link)
      const line = [oneLine(url, 2000), ...(title === undefined ? [] : [oneLine(title, 200)])].join(' — ')
      left -= line.length
      if (left < 0) break
      lines.push(line)
    }
    const end = offset + lines.length
    const notes = [
      `${lines.length} URLs, from ${offset} on.`,
      ...(end < found.length ? [`To read on, call map again with "offset": ${end}.`] : []),
      ...(found.length === limit + offset ? ['The limit was reached; there may be more.'] : []),
      ...problemLine('Warning', warning),
    ]
    return { text: [fence(lines.join('\n')), ...notes].join('\n') }
  },
})

const { question, rationale, jobId } = supportQuestion.shape

export const ask = defineTool({
  name: 'ask',
  title: 'Ask why a call went wrong',
  description:
    'Asks the service about itself: why a scrape, crawl or extract did not bring what was expected, or how an option works. Give the id of the job. A remedy is tried before it is given; fixParameters are options for the next call.',
  hints: readsWeb,
  input: z.strictObject({ question, jobId, rationale, maxCharacters }),
  async run({ input, call, fence }) {
    const { maxCharacters: most, ...body } = input
    return formatValues(await call(postSupportAsk, { body: given(body) }), { most, fence })
  },
})
