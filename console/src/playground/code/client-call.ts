import type { Call } from '../calls.ts'
import { jsonText } from './write-value.ts'

export interface SampleRequest {
  call: Call
  /** Origin of the service. */
  origin: string
  /** URL path with its parameters filled in. */
  path: string
  body: Record<string, unknown>
  /** Name of the uploaded file; undefined if the call takes no file. */
  file?: string
}

/** Returns the call with the Firecrawl client, which is compatible with this service. */
export function clientCall(sampleRequest: SampleRequest): string {
  const methodCall = buildMethodCall(sampleRequest)
  if (methodCall === undefined) return '// The firecrawl client has no method for this call. Use fetch.'
  const imports = sampleRequest.file === undefined ? '' : "import { readFile } from 'node:fs/promises'\n"
  return `${imports}import Firecrawl from 'firecrawl'

const firecrawl = new Firecrawl({
  apiKey: process.env.WINNOW_API_KEY,
  apiUrl: ${JSON.stringify(sampleRequest.origin)},
})
console.log(await firecrawl.${methodCall})`
}

function buildMethodCall({ call, path, body, file = '' }: SampleRequest): string | undefined {
  const { url, urls, query, ...rest } = body
  const bodyOptions = { ...(urls === undefined ? {} : { urls }), ...rest }
  switch (call.name) {
    case 'scrape':
    case 'map':
    case 'crawl':
      return `${call.name}(${formatArguments(url ?? '', rest)})`
    case 'parse':
      return `parse(
  { data: await readFile(${JSON.stringify(file)}), filename: ${JSON.stringify(file)} },
  ${jsonText(body).replaceAll('\n', '\n  ')},
)`
    case 'batch': {
      const { ignoreInvalidURLs, maxConcurrency, webhook, appendToId, origin, integration, ...options } = rest
      const batchOptions = { ignoreInvalidURLs, maxConcurrency, webhook, appendToId, origin, integration }
      return `batchScrape(${formatArguments(urls ?? [], { ...batchOptions, options })})`
    }
    case 'search':
      return `search(${formatArguments(query ?? '', rest)})`
    case 'extract':
    case 'agent':
    case 'browser':
      return `${call.name}(${jsonText(bodyOptions)})`
    case 'interact':
      return `interact(${formatArguments(decodeURIComponent(path.split('/')[3] ?? ''), rest)})`
    default:
      return undefined
  }
}

function formatArguments(first: unknown, options: Record<string, unknown>): string {
  const text = jsonText(options)
  return text === '{}' ? JSON.stringify(first) : `${JSON.stringify(first)}, ${text}`
}
