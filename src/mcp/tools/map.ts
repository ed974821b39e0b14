import { z } from 'zod'
import { whole } from '../../base/bounded.ts'
import { mapRequest } from '../../features/map.ts'
import { postMap } from '../../http/endpoints/map.ts'
import { asRecord, oneLine } from '../document-text.ts'
import { given, label, optional } from '../page-options.ts'
import { defineTool, maxCharacters, readsWeb } from '../tool.ts'

const { url, search, sitemap, includeSubdomains, filterByPath } = mapRequest.shape

export const map = defineTool({
  name: 'map',
  title: 'List the pages of a site',
  description:
    'Lists the URLs of a site from its sitemaps and links, without reading the pages. Use it to find the right page of a known site before scrape; search orders the list by relevance.',
  hints: readsWeb,
  input: z.strictObject({
    url,
    search,
    limit: whole('MAX_MCP_LINKS', 1).default(200).describe('Most URLs to look for.'),
    offset: whole('MAX_MCP_OFFSET', 0).default(0).describe('URLs to leave out at the start, to read on.'),
    sitemap: optional(sitemap),
    includeSubdomains: optional(includeSubdomains),
    filterByPath: optional(filterByPath),
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
      ...(warning === undefined ? [] : [`Warning: ${oneLine(warning, 2000)}`]),
    ]
    return { text: [fence(lines.join('\n')), ...notes].join('\n') }
  },
})
