import { z } from 'zod'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { storedJson } from '../../store/stored-json.ts'
import { type ScrapeRequest, scrapeRequest } from '../scrape/schema.ts'

const place = { table: 'jobs', column: 'input' } as const

/** What stands in the input of a page's job beside the options of its scrape. */
const crawlStep = z.object({
  depth: z.number(),
  isExternal: z.boolean(),
  /** Not to be fetched before this moment. */
  notBefore: z.number(),
  /** Where the crawl is at home since its start was read, if not where it was asked to start. */
  home: z.string().optional(),
  /** When the page was changed, as a sitemap says. */
  modifiedAt: z.number().optional(),
})

export type CrawlStep = z.output<typeof crawlStep>

export interface CrawlPageRequest extends ScrapeRequest {
  crawl: CrawlStep
}

/** The input of a scrape in the background; one of a crawl says so. */
export const pageInput = storedJson(
  place,
  storedShape(
    z.object({
      ...scrapeRequest.shape,
      crawl: crawlStep.optional(),
      /** What an agent does on the page before it is read. */
      task: z.string().optional(),
    }),
  ),
)

/** The kind of job that asks a site for its rules and for the pages it names. */
export const crawlStartKind = 'crawl_start'

export const startInput = storedJson(
  place,
  z.object({
    /** The home that the crawl has moved to, which is why there is another start job. */
    home: z.string().optional(),
  }),
)

export type CrawlStartInput = ReturnType<typeof startInput.read>
