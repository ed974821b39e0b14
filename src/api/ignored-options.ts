import { tolerantOptions } from '../features/scrape/schema.ts'
import { JsonText } from '../platform/json/json.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * Keys that existing clients send by themselves and that mean nothing here. They are taken out before validation,
 * so that strict schemas stay strict, and named in `warning`, so that nobody believes they did something.
 */
const tolerated = new Set([
  'threatProtection',
  'auditMetadata',
  'useMock',
  'safeMode',
  'domainTools',
  'toolDetail',
  'lang',
  'filter',
  'safe',
  'highlights',
])

type Fields = Record<string, unknown>

export function stripIgnoredOptions(
  body: unknown,
  known: ReadonlySet<string>,
): { body: unknown; ignored: string[] } {
  if (!isObject(body)) return { body, ignored: [] }
  const ignored: string[] = []
  for (const name in body) if (!known.has(name) && isTolerated(name)) ignored.push(name)
  const names = new Set(ignored)
  const rest =
    names.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
  return { body: withKnownOptions(rest, '', ignored), ignored }
}

/** Says in the answer which options of the call had no effect: beside the data if that is a recorded response. */
export function warnIgnoredOptions(endpoint: Endpoint, answer: unknown, ignored: string[]): unknown {
  const text = `No effect here: ${ignored.join(', ')}.`
  const add = (holder: { warning?: string | undefined }) => ({
    ...holder,
    warning: holder.warning === undefined ? text : `${holder.warning} ${text}`,
  })
  // Every answer is an envelope, and an endpoint that says so has its document in `data`.
  const body = answer as { warning?: string; data?: { warning?: string } }
  const isInData = endpoint.warningIn === 'data' && !(body.data instanceof JsonText)
  return isInData ? { ...body, data: add(body.data ?? {}) } : add(body)
}

function isTolerated(name: string): boolean {
  return tolerated.has(name) || name.startsWith('__')
}

/** The body without options that its formats and actions do not know, where they tolerate such. */
function withKnownOptions(body: Fields, path: string, ignored: string[]): Fields {
  const changes: Fields = {}
  for (const [list, knownOf] of Object.entries(tolerantOptions)) {
    const entries = body[list]
    if (!Array.isArray(entries)) continue
    const changed = entries.map((entry, index) => {
      const known = isObject(entry) && typeof entry.type === 'string' ? knownOf.get(entry.type) : undefined
      if (!isObject(entry) || known === undefined) return entry
      const isKnown = (name: string) => name === 'type' || known.includes(name)
      const unknown = Object.keys(entry).filter((name) => !isKnown(name))
      for (const name of unknown.slice(0, maxNamed))
        ignored.push(`${path}${list}[${index}].${name}`.slice(0, longestName))
      return unknown.length === 0
        ? entry
        : Object.fromEntries(Object.entries(entry).filter(([name]) => isKnown(name)))
    })
    if (changed.some((entry, index) => entry !== entries[index])) changes[list] = changed
  }
  const { scrapeOptions } = body
  if (isObject(scrapeOptions)) {
    const changed = withKnownOptions(scrapeOptions, 'scrapeOptions.', ignored)
    if (changed !== scrapeOptions) changes.scrapeOptions = changed
  }
  return Object.keys(changes).length === 0 ? body : { ...body, ...changes }
}

/** A name as it was sent may be as long as the body. */
const longestName = 100
const maxNamed = 10

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
