import { z } from 'zod'
import { mapRequest } from '../../features/map.ts'
import { AppError } from '../../platform/errors.ts'
import { envelope } from '../endpoint.ts'
import { postMap } from '../endpoints/map.ts'
import { createV1Endpoint } from './translation.ts'

const { sitemap: _, ignoreCache: __, ...fields } = mapRequest.shape

const request = z
  .strictObject({
    ...fields,
    ignoreSitemap: z.boolean().default(false).describe('Do not read sitemaps.'),
    sitemapOnly: z.boolean().default(false).describe('Read nothing but sitemaps.'),
  })
  .meta({ id: 'V1MapRequest' })

function toV2Map({ ignoreSitemap, sitemapOnly, ...rest }: z.output<typeof request>): object {
  if (ignoreSitemap && sitemapOnly) {
    const message = 'ignoreSitemap and sitemapOnly exclude each other. Remove one of the two.'
    throw new AppError('BAD_REQUEST', {}, { message })
  }
  return { ...rest, sitemap: ignoreSitemap ? 'skip' : sitemapOnly ? 'only' : 'include' }
}

export const postMapV1 = createV1Endpoint({
  endpoints: [postMap],
  body: { schema: request, toV2: toV2Map },
  response: envelope({
    id: z.string().describe('Id of this job.'),
    links: z.array(z.string()).describe('The addresses of the pages.'),
  }),
  toV1: (v2Response: { id: string; links: { url: string }[]; warning?: string }) => ({
    ...{ success: true, id: v2Response.id, links: v2Response.links.map(({ url }) => url) },
    ...(v2Response.warning === undefined ? {} : { warning: v2Response.warning }),
  }),
})
