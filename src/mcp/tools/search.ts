import { z } from 'zod'
import { list } from '../../base/bounded.ts'
import { categoryNames, searchRequest, sourceNames } from '../../features/search/schema.ts'
import { postSearch } from '../../http/endpoints/search.ts'
import { asRecord, oneLine, showDocument } from '../document-text.ts'
import { given, label } from '../page-options.ts'
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
    const { warning } = answer
    const notes = [
      ...(results.length === 0 ? ['Nothing was found. Other words, or fewer of them, may find more.'] : []),
      ...(warning === undefined ? [] : [`Warning: ${oneLine(warning, 2000)}`]),
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
  const read = page.metadata === undefined ? undefined : await showDocument(page, { most: share, fence })
  return [`${source}: ${oneLine(url, 2000)}`, fence(about.join('\n')), ...(read ? [read.text] : [])].join(
    '\n',
  )
}
