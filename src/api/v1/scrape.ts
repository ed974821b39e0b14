import { z } from 'zod'
import { callLabels, urlField } from '../../features/scrape/schema.ts'
import { envelope } from '../endpoint.ts'
import { getScrape, postScrape } from '../endpoints/scrape.ts'
import { toV1Document, v1Document } from './document.ts'
import { toV2Options, v1ScrapeOptions } from './scrape-options.ts'
import { createV1Endpoint } from './translation.ts'

const request = z
  .strictObject({
    url: urlField.describe('URL to scrape. The default scheme is http.'),
    ...v1ScrapeOptions,
    zeroDataRetention: z.boolean().default(false).describe('Keep nothing of this call.'),
    ...callLabels,
  })
  .meta({ id: 'V1ScrapeRequest' })

export const postScrapeV1 = createV1Endpoint({
  endpoints: [postScrape],
  body: { schema: request, toV2: toV2Options },
  response: envelope({ data: v1Document }),
  toV1: (v2Response: { data: unknown }, { body }) => ({
    ...v2Response,
    data: toV1Document(v2Response.data, body.formats),
  }),
})

export const getScrapeV1 = createV1Endpoint({
  endpoints: [getScrape],
  response: envelope({ data: v1Document }),
  toV1: (v2Response: { data: unknown }) => ({ ...v2Response, data: toV1Document(v2Response.data, []) }),
})
