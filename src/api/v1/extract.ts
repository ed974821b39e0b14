import { z } from 'zod'
import { extractRequest } from '../../features/extract/schema.ts'
import { deleteExtract, getExtract, postExtract } from '../endpoints/extract.ts'
import { toV2Options, v1NamedFormats } from './scrape-options.ts'
import { createV1Endpoint } from './translation.ts'

const { ignoreInvalidURLs: _, scrapeOptions: __, ...fields } = extractRequest.shape

const request = z
  .strictObject({
    ...fields,
    ignoreInvalidURLs: z
      .boolean()
      .default(false)
      .describe('Skip invalid URLs instead of rejecting the call.'),
    // The extract itself determines the values to read from a page.
    scrapeOptions: v1NamedFormats.optional().describe('Scrape options of each page.'),
  })
  .meta({ id: 'V1ExtractRequest' })

export const postExtractV1 = createV1Endpoint({
  endpoints: [postExtract],
  body: {
    schema: request,
    toV2: ({ scrapeOptions, schema, ...rest }) => ({
      ...rest,
      // The published Python client sends null.
      schema: schema ?? undefined,
      ...(scrapeOptions ? { scrapeOptions: toV2Options(scrapeOptions) } : {}),
    }),
  },
})

export const getExtractV1 = createV1Endpoint({ endpoints: [getExtract] })

export const deleteExtractV1 = createV1Endpoint({ endpoints: [deleteExtract] })
