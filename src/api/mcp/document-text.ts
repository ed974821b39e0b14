import { jsonChunks } from '../../platform/json/write-json.ts'
import { visible } from '../../platform/text.ts'
import { type Field, isWhole, readFields, wholeValue } from './read-fields.ts'
import type { ToolResult } from './tool.ts'

/** Where a text goes on. */
interface Next {
  scrapeId: string
  field: string
  offset: number
}

export interface DocumentView {
  text: string
  /** Characters of the page in it. */
  shown: number
  next: Next | undefined
}

export interface FormatDocumentOptions {
  most: number
  fence: (text: string) => string
  /** Only this field, from this character on. */
  from?: { field: string; offset: number }
}

/** Metadata beyond this is no metadata any more. */
const maxMetadata = 100_000
const longestLine = 500
/** Facts about a page, not text of it. */
const beside = new Set(['metadata', 'warning', 'success', 'position', 'marks', 'category'])

/** A document as a model reads it: facts of the service first, then what the page says, marked as such. */
export async function formatDocument(
  document: unknown,
  showing: FormatDocumentOptions,
): Promise<DocumentView> {
  const { most, from } = showing
  const fields = await readFields(jsonChunks(document), (name) => {
    if (beside.has(name)) return { offset: 0, most: maxMetadata }
    return from?.field === name ? { offset: from.offset, most } : { offset: 0, most }
  })
  const metadata = asRecord(wholeValue(fields.get('metadata')))
  const texts = [...fields.values()].filter(({ name }) => !beside.has(name))
  const asked = from ? texts.filter(({ name }) => name === from.field) : texts
  const parts = fitting(asked, most)
  const scrapeId = typeof metadata.scrapeId === 'string' ? metadata.scrapeId : undefined
  const notes = parts.flatMap((part) => noteOf(part, scrapeId))
  const left = texts.filter(({ name }) => !parts.some((part) => part.name === name) && !from)
  if (left.length > 0) notes.push(`Left out, since the answer is full: ${names(left)}.`)
  const title = oneLine(metadata.title)
  const body = [
    ...(title === '' || from ? [] : [`Title: ${title}`]),
    ...parts.map((part) => (isLone(part, parts) ? part.text : `[${part.name}]\n${part.text}`)),
  ].join('\n\n')
  const facts = factsOf(metadata, fields.get('warning'))
  const nothing = from && asked.length === 0 ? [`There is no "${from.field}"; there is ${names(texts)}.`] : []
  return {
    text: [...facts, ...nothing, ...(body === '' ? [] : [showing.fence(printable(body))]), ...notes].join(
      '\n',
    ),
    shown: parts.reduce((sum, { text }) => sum + text.length, 0),
    next: parts.map((part) => nextOf(part, scrapeId)).find((next) => next !== undefined),
  }
}

const names = (fields: Field[]) => fields.map(({ name }) => name).join(', ') || 'nothing to read'

/** Fields in their order, until the characters are used up; the last one is cut. */
function fitting(fields: Field[], most: number): Field[] {
  const parts: Field[] = []
  let left = most
  for (const field of fields) {
    if (left <= 0) break
    const text = field.text.length > left ? field.text.slice(0, left).toWellFormed() : field.text
    parts.push({ ...field, text })
    left -= text.length
  }
  return parts
}

function isLone({ name }: Field, parts: Field[]): boolean {
  return parts.length === 1 && name === 'markdown'
}

function nextOf({ name, offset, text, total }: Field, scrapeId: string | undefined): Next | undefined {
  const end = offset + text.length
  return scrapeId === undefined || end >= total ? undefined : { scrapeId, field: name, offset: end }
}

function noteOf(part: Field, scrapeId: string | undefined): string[] {
  if (isWhole(part)) return []
  const end = part.offset + part.text.length
  const range = `Characters ${part.offset} to ${end} of ${part.total} of ${part.name}.`
  const next = nextOf(part, scrapeId)
  if (!next) return [range]
  return [`${range} To read on, call read_result with ${JSON.stringify(next)}.`]
}

function factsOf(metadata: Record<string, unknown>, warning: Field | undefined): string[] {
  const { url, sourceURL, statusCode, scrapeId, cacheState, error } = metadata
  const address = oneLine(url ?? sourceURL)
  const facts = [
    ...(typeof statusCode === 'number' ? [`status ${statusCode}`] : []),
    ...(cacheState === 'hit' ? ['from the cache'] : []),
    ...(scrapeId === undefined ? [] : [`scrapeId ${oneLine(scrapeId)}`]),
  ]
  return [
    ...(address === '' ? [] : [`Page: ${address}`]),
    ...(facts.length === 0 ? [] : [facts.join(', ')]),
    ...(error === undefined ? [] : [`The site says: ${oneLine(error)}`]),
    ...(warning && warning.text !== '' ? [`Warning: ${oneLine(warning.text, 2000)}`] : []),
  ]
}

/** An answer that is data rather than a page: as JSON, for a model and for programs; what is too long is cut and named. */
export async function formatValues(
  answer: unknown,
  { most, fence }: { most: number; fence?: (text: string) => string },
): Promise<ToolResult> {
  const fields = await readFields(jsonChunks(answer), () => ({ offset: 0, most }))
  fields.delete('success')
  let left = most
  const cut: Field[] = []
  const values: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const fits = isWhole(field) && field.text.length <= left
    if (!fits) cut.push(field)
    values[name] = fits ? wholeValue(field) : `${field.text.slice(0, Math.max(left, 0)).toWellFormed()}…`
    left -= field.text.length
  }
  const notes = cut.map(({ name, total }) => `${name} is cut: it has ${total} characters.`)
  const text = printable(JSON.stringify(values, null, 1))
  return { text: [fence ? fence(text) : text, ...notes].join('\n'), structured: values }
}

/** What a run in a browser came to. Code that failed is an error of the tool, so that a model mends it. */
export async function formatRun(
  answer: unknown,
  showing: { most: number; fence: (text: string) => string },
): Promise<ToolResult> {
  const { error, exitCode, killed, success } = asRecord(answer)
  const hasFailed = error !== undefined || killed === true || success === false || (exitCode ?? 0) !== 0
  const shown = await formatValues(answer, showing)
  return hasFailed ? { ...shown, isError: true } : shown
}

/** Without characters that a terminal would obey. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones that go
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** Text of strangers in a line of the service: it stays one line, and short. */
export function oneLine(value: unknown, most = longestLine): string {
  const text = visible(String(value ?? '').slice(0, 2 * most)).replace(/\p{C}+|\s+/gu, ' ')
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

/** A line that names a problem; none if there is no problem. */
export const problemLine = (name: string, problem: unknown): string[] =>
  problem === undefined ? [] : [`${name}: ${oneLine(problem, 2000)}`]

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
