import { type BrowsedRequest, pageOptions, type ScrapeRequest } from '../scrape/schema.ts'

/** What the caller said of the pages and of what is wanted of them. */
export interface Reading {
  prompt?: string | undefined
  systemPrompt?: string | undefined
  scrapeOptions?: Omit<ScrapeRequest, 'url' | 'zeroDataRetention'> | undefined
  origin?: string | undefined
  integration?: string | null | undefined
}

/** The scrape that reads a page by a schema. */
export function pageRequest(
  reading: Reading,
  { url, schema }: { url: string; schema: Record<string, unknown> },
): ScrapeRequest {
  const { systemPrompt, prompt } = reading
  const words = [systemPrompt, prompt].filter((text) => text !== undefined).join('\n\n')
  return {
    ...baseOf(reading, url),
    formats: [{ type: 'json', schema, ...(words === '' ? {} : { prompt: words }) }],
  }
}

/** An agent may need longer for what it does on a page than the page takes alone. */
const longestTaskMs = 240_000

/** The same page after something was done on it. */
export function browsed(request: ScrapeRequest, task: string): BrowsedRequest {
  return { ...request, task, timeout: Math.max(request.timeout, longestTaskMs) }
}

/** The scrape that answers a question from a page. */
export function questionRequest(reading: Reading, url: string): ScrapeRequest {
  return { ...baseOf(reading, url), formats: [{ type: 'question', question: reading.prompt ?? '' }] }
}

function baseOf({ scrapeOptions, origin, integration }: Reading, url: string): ScrapeRequest {
  const options = scrapeOptions ?? pageOptions.parse({})
  return { ...options, url, zeroDataRetention: false, origin, integration }
}
