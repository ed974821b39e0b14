import { jsonChunks } from '../../platform/json/write-json.ts'
import { stripInvisible } from '../../platform/text.ts'
import { completeValue, type Field, isComplete, readFields } from './read-fields.ts'
import type { ToolResult } from './tool.ts'

interface FormatDocumentOptions {
  limit: number
  fence: (text: string) => string
  /** Field to show, from this offset on. Default: all fields. */
  from?: { field: string; offset: number }
}

const maxMetadata = 100_000
const maxLineLength = 500
const factFields = new Set(['metadata', 'warning', 'success', 'position', 'marks', 'category'])

export async function formatDocument(
  document: unknown,
  { limit, fence, from }: FormatDocumentOptions,
): Promise<{ text: string; shown: number }> {
  const fields = await readFields(jsonChunks(document), (name) => {
    if (factFields.has(name)) return { offset: 0, limit: maxMetadata }
    return { offset: from?.field === name ? from.offset : 0, limit }
  })
  const metadata = asRecord(completeValue(fields.get('metadata')))
  const texts = [...fields.values()].filter(({ name }) => !factFields.has(name))
  const requested = from ? texts.filter(({ name }) => name === from.field) : texts
  const shownFields = takeFitting(requested, limit)
  const scrapeId = typeof metadata.scrapeId === 'string' ? metadata.scrapeId : undefined
  const footer = shownFields.flatMap((part) => continuationNote(part, scrapeId))
  const omitted = texts.filter(({ name }) => !shownFields.some((part) => part.name === name) && !from)
  if (omitted.length > 0) footer.push(`Left out, since the answer is full: ${listNames(omitted)}.`)
  const title = oneLine(metadata.title)
  const body = [
    ...(title === '' || from ? [] : [`Title: ${title}`]),
    ...shownFields.map(({ name, text }) =>
      shownFields.length === 1 && name === 'markdown' ? text : `[${name}]\n${text}`,
    ),
  ].join('\n\n')
  const lines = [
    ...formatFacts(metadata, fields.get('warning')),
    ...(from && requested.length === 0 ? [`There is no "${from.field}"; there is ${listNames(texts)}.`] : []),
    ...(body === '' ? [] : [fence(printable(body))]),
    ...footer,
  ]
  return { text: lines.join('\n'), shown: shownFields.reduce((sum, { text }) => sum + text.length, 0) }
}

const listNames = (fields: Field[]) => fields.map(({ name }) => name).join(', ') || 'nothing to read'

function takeFitting(fields: Field[], limit: number): Field[] {
  const taken: Field[] = []
  let remaining = limit
  for (const field of fields) {
    if (remaining <= 0) break
    const text = field.text.length > remaining ? field.text.slice(0, remaining).toWellFormed() : field.text
    taken.push({ ...field, text })
    remaining -= text.length
  }
  return taken
}

function continuationNote(part: Field, scrapeId: string | undefined): string[] {
  if (isComplete(part)) return []
  const { name: field, total } = part
  const offset = part.offset + part.text.length
  const range = `Characters ${part.offset} to ${offset} of ${total} of ${field}.`
  if (scrapeId === undefined || offset >= total) return [range]
  return [`${range} To read on, call read_result with ${JSON.stringify({ scrapeId, field, offset })}.`]
}

function formatFacts(metadata: Record<string, unknown>, warning: Field | undefined): string[] {
  const { url, sourceURL, statusCode, scrapeId, cacheState, error } = metadata
  const pageUrl = oneLine(url ?? sourceURL)
  const facts = [
    ...(typeof statusCode === 'number' ? [`status ${statusCode}`] : []),
    ...(cacheState === 'hit' ? ['from the cache'] : []),
    ...(scrapeId === undefined ? [] : [`scrapeId ${oneLine(scrapeId)}`]),
  ]
  return [
    ...(pageUrl === '' ? [] : [`Page: ${pageUrl}`]),
    ...(facts.length === 0 ? [] : [facts.join(', ')]),
    ...(error === undefined ? [] : [`The site says: ${oneLine(error)}`]),
    ...(warning && warning.text !== '' ? [`Warning: ${oneLine(warning.text, 2000)}`] : []),
  ]
}

export async function formatValues(
  response: unknown,
  { limit, fence }: { limit: number; fence?: (text: string) => string },
): Promise<ToolResult> {
  const fields = await readFields(jsonChunks(response), () => ({ offset: 0, limit }))
  fields.delete('success')
  let remaining = limit
  const truncated: Field[] = []
  const values: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const fits = isComplete(field) && field.text.length <= remaining
    if (!fits) truncated.push(field)
    values[name] = fits
      ? completeValue(field)
      : `${field.text.slice(0, Math.max(remaining, 0)).toWellFormed()}…`
    remaining -= field.text.length
  }
  const warnings = truncated.map(({ name, total }) => `${name} is cut: it has ${total} characters.`)
  const text = printable(JSON.stringify(values, null, 1))
  return { text: [fence ? fence(text) : text, ...warnings].join('\n'), structured: values }
}

/** Formats the result of code run in a browser. A failure is a tool error, so that a model fixes the code. */
export async function formatRun(
  response: unknown,
  options: { limit: number; fence: (text: string) => string },
): Promise<ToolResult> {
  const { error, exitCode, killed, success } = asRecord(response)
  const hasFailed = error !== undefined || killed === true || success === false || (exitCode ?? 0) !== 0
  const result = await formatValues(response, options)
  return hasFailed ? { ...result, isError: true } : result
}

/** Removes control characters that a terminal would interpret. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

export function oneLine(value: unknown, limit = maxLineLength): string {
  const text = stripInvisible(String(value ?? '').slice(0, 2 * limit)).replace(/\p{C}+|\s+/gu, ' ')
  return text.length > limit ? `${text.slice(0, limit).toWellFormed()}…` : text
}

export const problemLine = (name: string, problem: unknown): string[] =>
  problem === undefined ? [] : [`${name}: ${oneLine(problem, 2000)}`]

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
