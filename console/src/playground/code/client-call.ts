import type { Call } from '../calls.ts'
import { jsonText } from './write-value.ts'

export interface Asked {
  call: Call
  /** Where the service is reached. */
  origin: string
  /** The address with its parts filled in. */
  path: string
  body: Record<string, unknown>
  /** The name of the file, for calls that take one. */
  file?: string
}

/** The call by the client of Firecrawl, which works with this service as it is. */
export function clientCall(asked: Asked): string {
  const line = lineOf(asked)
  if (line === undefined) return '// The firecrawl client has no method for this call. Use fetch.'
  const reads = asked.file === undefined ? '' : "import { readFile } from 'node:fs/promises'\n"
  return `${reads}import Firecrawl from 'firecrawl'

const firecrawl = new Firecrawl({
  apiKey: process.env.WINNOW_API_KEY,
  apiUrl: ${JSON.stringify(asked.origin)},
})
console.log(await firecrawl.${line})`
}

function lineOf({ call, path, body, file = '' }: Asked): string | undefined {
  const { url, urls, query, ...rest } = body
  const others = { ...(urls === undefined ? {} : { urls }), ...rest }
  switch (call.name) {
    case 'scrape':
    case 'map':
    case 'crawl':
      return `${call.name}(${args(url ?? '', rest)})`
    case 'parse':
      return `parse(
  { data: await readFile(${JSON.stringify(file)}), filename: ${JSON.stringify(file)} },
  ${jsonText(body).replaceAll('\n', '\n  ')},
)`
    case 'batch': {
      const { ignoreInvalidURLs, maxConcurrency, webhook, appendToId, origin, integration, ...options } = rest
      const own = { ignoreInvalidURLs, maxConcurrency, webhook, appendToId, origin, integration }
      return `batchScrape(${args(urls ?? [], { ...own, options })})`
    }
    case 'search':
      return `search(${args(query ?? '', rest)})`
    case 'extract':
    case 'agent':
    case 'browser':
      return `${call.name}(${jsonText(others)})`
    case 'interact':
      return `interact(${args(decodeURIComponent(path.split('/')[3] ?? ''), rest)})`
    default:
      return undefined
  }
}

function args(first: unknown, options: Record<string, unknown>): string {
  const text = jsonText(options)
  return text === '{}' ? JSON.stringify(first) : `${JSON.stringify(first)}, ${text}`
}
