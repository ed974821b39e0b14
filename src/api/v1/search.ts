import { z } from 'zod'
import { searchRequest } from '../../features/search/schema.ts'
import { envelope } from '../endpoint.ts'
import { postSearch } from '../endpoints/search.ts'
import { toV1Document, v1Document } from './document.ts'
import { toV2Options, v1NamedFormats } from './scrape-options.ts'
import { createV1Endpoint } from './translation.ts'

const { query, tbs, country, location, lang, timeout, ignoreInvalidURLs, origin, integration } =
  searchRequest.shape

const request = z
  .strictObject({
    ...{ query, tbs, country, location, lang, timeout, ignoreInvalidURLs, origin, integration },
    limit: z.int().min(1).max(100).default(5).describe('Maximum number of results.'),
    scrapeOptions: v1NamedFormats
      .optional()
      .describe('Scrape options of each result; without formats, results are not scraped.'),
  })
  .meta({ id: 'V1SearchRequest' })

function toV2Search({ scrapeOptions, ...rest }: z.output<typeof request>): object {
  return { ...rest, ...(scrapeOptions ? { scrapeOptions: toV2Options(scrapeOptions) } : {}) }
}

const result = v1Document
  .partial()
  .extend({ url: z.string(), title: z.string(), description: z.string() })
  .catchall(z.unknown())
  .meta({ id: 'V1SearchResult' })

export const postSearchV1 = createV1Endpoint({
  endpoints: [postSearch],
  body: { schema: request, toV2: toV2Search },
  response: envelope({ id: z.string(), creditsUsed: z.int(), data: z.array(result) }),
  toV1: ({ data, ...envelopeFields }: { data: { web?: unknown[] } }, { body }) => ({
    ...envelopeFields,
    data: (data.web ?? []).map((page) => toV1Document(page, body.scrapeOptions?.formats ?? [])),
  }),
})
