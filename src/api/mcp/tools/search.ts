import { z } from 'zod'
import { mapRequest } from '../../../features/map.ts'
import { present } from '../../../features/present.ts'
import { categoryNames, searchRequest, sourceNames } from '../../../features/search/schema.ts'
import { supportQuestion } from '../../../features/support/schema.ts'
import { boundedInteger, boundedList } from '../../../platform/bounded.ts'
import { postMap } from '../../endpoints/map.ts'
import { postSearch } from '../../endpoints/search.ts'
import { postSupportAsk } from '../../endpoints/service.ts'
import { asRecord, formatDocument, formatValues, oneLine, problemLine } from '../document-text.ts'
import { label, optional } from '../page-options.ts'
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
    sources: boundedList(z.enum(sourceNames), 'MAX_SEARCH_SOURCES')
      .optional()
      .describe('Where to look. Default: web.'),
    scrape: z
      .boolean()
      .default(false)
      .describe('Also read each result, as Markdown. Slower, and costs credits.'),
    categories: boundedList(z.enum(categoryNames), 'MAX_SEARCH_SOURCES')
      .optional()
      .describe('Only web results of these kinds.'),
    includeDomains,
    excludeDomains,
    tbs: tbs.describe('Time range: qdr:h, d, w, m or y for the last hour, day, week, month or year.'),
    country,
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { maxCharacters, scrape, ...options } = input
    const scrapeOptions = scrape ? { formats: [{ type: 'markdown' }] } : undefined
    const body = { ...present({ ...options, scrapeOptions }), ...label }
    const response = asRecord(await call(postSearch, { body }))
    const results = Object.entries(asRecord(response.data)).flatMap(([source, hits]) =>
      (Array.isArray(hits) ? hits : []).map((result) => ({ source, result })),
    )
    // Each result gets an equal share of the characters, so the first cannot use up the share of the last.
    const limit = Math.max(500, Math.floor(maxCharacters / Math.max(1, results.length)))
    const sections: string[] = []
    for (const { source, result } of results)
      sections.push(await formatResult(source, result, { limit, fence }))
    const footer = [
      ...(results.length === 0 ? ['Nothing was found. Other words, or fewer of them, may find more.'] : []),
      ...problemLine('Warning', response.warning),
    ]
    return { text: [...sections, ...footer].join('\n\n') }
  },
})

async function formatResult(
  source: string,
  result: unknown,
  options: { limit: number; fence: (text: string) => string },
): Promise<string> {
  const { url, title, description, snippet, imageUrl, date, ...page } = asRecord(result)
  const summary = [
    `Title: ${oneLine(title)}`,
    ...(date === undefined ? [] : [`Date: ${oneLine(date)}`]),
    ...(imageUrl === undefined ? [] : [`Image: ${oneLine(imageUrl, 2000)}`]),
    oneLine(description ?? snippet, 1000),
  ]
  const head = `${source}: ${oneLine(url, 2000)}\n${options.fence(summary.join('\n'))}`
  return page.metadata === undefined ? head : `${head}\n${(await formatDocument(page, options)).text}`
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
    limit: boundedInteger('MAX_MCP_LINKS', 1).default(200).describe('Most URLs to look for.'),
    offset: boundedInteger('MAX_MCP_OFFSET', 0)
      .default(0)
      .describe('URLs to leave out at the start, to read on.'),
    sitemap: optional(site.sitemap),
    includeSubdomains: optional(site.includeSubdomains),
    filterByPath: optional(site.filterByPath),
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { maxCharacters, offset, limit, ...options } = input
    const body = { ...present(options), limit: limit + offset, ...label }
    const { links, warning } = asRecord(await call(postMap, { body }))
    const allLinks: unknown[] = Array.isArray(links) ? links : []
    const lines: string[] = []
    let remaining = maxCharacters
    for (const link of allLinks.slice(offset)) {
      const { url, title } = asRecord(link)
      const line = [oneLine(url, 2000), ...(title === undefined ? [] : [oneLine(title, 200)])].join(' — ')
      remaining -= line.length
      if (remaining < 0) break
      lines.push(line)
    }
    const end = offset + lines.length
    const footer = [
      `${lines.length} URLs, from ${offset} on.`,
      ...(end < allLinks.length ? [`To read on, call map again with "offset": ${end}.`] : []),
      ...(allLinks.length === limit + offset ? ['The limit was reached; there may be more.'] : []),
      ...problemLine('Warning', warning),
    ]
    return { text: [fence(lines.join('\n')), ...footer].join('\n') }
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
    const { maxCharacters, ...body } = input
    const response = await call(postSupportAsk, { body: present(body) })
    return formatValues(response, { limit: maxCharacters, fence })
  },
})
