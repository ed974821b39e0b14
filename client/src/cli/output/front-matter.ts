import { safeJson } from '../safe-text.ts'

const fields = ['url', 'title', 'description', 'language', 'statusCode', 'contentType'] as const

export interface PageInfo {
  /** Requested URL. */
  url: string
  job: string | undefined
}

/** Returns page metadata as YAML front matter. Values are JSON, which is valid YAML and cannot end the front matter. */
export function frontMatter(
  metadata: Readonly<Record<string, unknown>>,
  { url, job, warning }: PageInfo & { warning?: string | undefined },
): string {
  const entries: [string, unknown][] = [
    // These fields come first, because `readFrontMatter` receives only the start of a file, and other metadata may be
    // long.
    ['sourceURL', url],
    ['job', job],
    ...fields.map((name): [string, unknown] => [name, metadata[name]]),
    ['warning', warning],
    ['scrapeId', metadata.scrapeId],
  ]
  const lines = entries
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name}: ${safeJson(value)}\n`)
  return `---\n${lines.join('')}---\n\n`
}

/** Parses the front matter of a file that this program wrote. Returns undefined for any other file. */
export function readFrontMatter(text: string): PageInfo | undefined {
  const [first, second = '', ...rest] = text.split('\n')
  if (first !== '---' || !second.startsWith('sourceURL: ')) return undefined
  const endIndex = rest.indexOf('---')
  const job = rest.slice(0, endIndex < 0 ? undefined : endIndex).find((line) => line.startsWith('job: '))
  const url = parseString(second.slice('sourceURL: '.length))
  return url === undefined ? undefined : { url, job: job && parseString(job.slice('job: '.length)) }
}

function parseString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
