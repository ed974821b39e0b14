import { z } from 'zod'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { storedJson } from '../../store/stored-json.ts'
import { type ScrapeRequest, scrapeRequest } from '../scrape/schema.ts'

const inputColumn = { table: 'jobs', column: 'input' } as const

const crawlStep = z.object({
  depth: z.number(),
  isExternal: z.boolean(),
  notBefore: z.number(),
  home: z.string().optional(),
  modifiedAt: z.number().optional(),
})

export type CrawlStep = z.output<typeof crawlStep>

export interface CrawlPageRequest extends ScrapeRequest {
  crawl: CrawlStep
}

/** Stored input of a background scrape. Only pages of crawls have `crawl`. */
export const pageInput = storedJson(
  inputColumn,
  storedShape(
    z.object({
      ...scrapeRequest.shape,
      crawl: crawlStep.optional(),
      task: z.string().optional(),
    }),
  ),
)

export const crawlStartKind = 'crawl_start'

export const startInput = storedJson(
  inputColumn,
  z.object({
    home: z.string().optional(),
  }),
)

export type CrawlStartInput = ReturnType<typeof startInput.read>
