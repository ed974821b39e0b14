import { isObject } from '../extraction/schema/field-spec.ts'
import { tolerantOptions } from '../features/scrape/schema.ts'
import { JsonText } from '../platform/json/json.ts'
import type { Endpoint } from './endpoint.ts'

/** Options that existing clients send but that have no effect here. Removed before the strict validation. */
const toleratedOptions = new Set([
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
  knownFields: ReadonlySet<string>,
): { body: unknown; ignored: string[] } {
  if (!isObject(body)) return { body, ignored: [] }
  const ignored: string[] = []
  for (const name in body)
    if (!knownFields.has(name) && (toleratedOptions.has(name) || name.startsWith('__'))) ignored.push(name)
  const names = new Set(ignored)
  const stripped =
    names.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
  return { body: stripUnknownOptions(stripped, '', ignored), ignored }
}

/** A recorded response in `data` cannot be changed, so its warning is at the top level. */
export function warnIgnoredOptions(endpoint: Endpoint, response: unknown, ignored: string[]): unknown {
  const text = `No effect here: ${ignored.join(', ')}.`
  const withWarning = (target: { warning?: string | undefined }) => ({
    ...target,
    warning: target.warning === undefined ? text : `${target.warning} ${text}`,
  })
  // The cast is safe: every response is an envelope, and endpoints with `warningIn` have their document in `data`.
  const body = response as { warning?: string; data?: { warning?: string } }
  const isInData = endpoint.warningIn === 'data' && !(body.data instanceof JsonText)
  return isInData ? { ...body, data: withWarning(body.data ?? {}) } : withWarning(body)
}

function stripUnknownOptions(body: Fields, path: string, ignored: string[]): Fields {
  const changes: Fields = {}
  for (const [list, optionsByType] of Object.entries(tolerantOptions)) {
    const entries = body[list]
    if (!Array.isArray(entries)) continue
    const changed = entries.map((entry, index) => {
      const knownOptions =
        isObject(entry) && typeof entry.type === 'string' ? optionsByType.get(entry.type) : undefined
      if (!isObject(entry) || knownOptions === undefined) return entry
      const isKnown = (name: string) => name === 'type' || knownOptions.includes(name)
      const unknown = Object.keys(entry).filter((name) => !isKnown(name))
      for (const name of unknown.slice(0, maxListedNames))
        ignored.push(`${path}${list}[${index}].${name}`.slice(0, maxNameLength))
      return unknown.length === 0
        ? entry
        : Object.fromEntries(Object.entries(entry).filter(([name]) => isKnown(name)))
    })
    if (changed.some((entry, index) => entry !== entries[index])) changes[list] = changed
  }
  const { scrapeOptions } = body
  if (isObject(scrapeOptions)) {
    const changed = stripUnknownOptions(scrapeOptions, 'scrapeOptions.', ignored)
    if (changed !== scrapeOptions) changes.scrapeOptions = changed
  }
  return Object.keys(changes).length === 0 ? body : { ...body, ...changes }
}

/** Maximum characters of a listed option. A name in a request can be as long as the body. */
const maxNameLength = 100
const maxListedNames = 10
