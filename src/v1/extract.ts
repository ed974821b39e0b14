import { z } from 'zod'
import { extractRequest } from '../features/extract/schema.ts'
import { deleteExtract, getExtract, postExtract } from '../http/endpoints/extract.ts'
import { optionsInV2, v1PageOptions } from './scrape-options.ts'
import { translated } from './translation.ts'

const { ignoreInvalidURLs: _, scrapeOptions: __, ...fields } = extractRequest.shape

/** What is read of a page is decided by the extract. */
const readingOptions = z.preprocess(
  (given) =>
    typeof given === 'object' && given !== null && !('formats' in given) ? { ...given, formats: [] } : given,
  v1PageOptions,
)

const request = z
  .strictObject({
    ...fields,
    ignoreInvalidURLs: z
      .boolean()
      .default(false)
      .describe('Skip invalid URLs instead of rejecting the call.'),
    scrapeOptions: readingOptions.optional().describe('How each page is scraped.'),
  })
  .meta({ id: 'V1ExtractRequest' })

export const postExtractV1 = translated({
  by: [postExtract],
  path: '/v1/extract',
  body: {
    schema: request,
    toV2: ({ scrapeOptions, schema, ...rest }) => ({
      ...rest,
      // The published client for Python sends null.
      schema: schema ?? undefined,
      ...(scrapeOptions ? { scrapeOptions: optionsInV2(scrapeOptions) } : {}),
    }),
  },
})

export const getExtractV1 = translated({ by: [getExtract], path: '/v1/extract/{id}' })

export const deleteExtractV1 = translated({ by: [deleteExtract], path: '/v1/extract/{id}' })
