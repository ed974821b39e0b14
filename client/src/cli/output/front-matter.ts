import { safeJson } from '../safe-text.ts'

const fields = ['url', 'title', 'description', 'language', 'statusCode', 'contentType'] as const

export interface PageFacts {
  /** The address that was asked for. */
  url: string
  job: string | undefined
}

/** What is known of a page, as YAML before its text. Values are JSON, which is YAML: nothing in them can end it. */
export function frontMatter(
  metadata: Readonly<Record<string, unknown>>,
  { url, job, warning }: PageFacts & { warning?: string | undefined },
): string {
  const entries: [string, unknown][] = [
    // First, as these are read again: what a page says of itself may be long.
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

/** What a file of ours says about its page; undefined for any other file. */
export function readFrontMatter(start: string): PageFacts | undefined {
  const [first, second = '', ...rest] = start.split('\n')
  if (first !== '---' || !second.startsWith('sourceURL: ')) return undefined
  const end = rest.indexOf('---')
  const job = rest.slice(0, end < 0 ? undefined : end).find((line) => line.startsWith('job: '))
  const url = textIn(second.slice('sourceURL: '.length))
  return url === undefined ? undefined : { url, job: job && textIn(job.slice('job: '.length)) }
}

function textIn(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
