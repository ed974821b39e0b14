/** Form of an exported document: a CSV row, or a Markdown file with the metadata as front matter. */
export type ExportForm = 'csv' | 'markdown'

export interface ExportedDocument {
  url: string
  /** UTF-8; undefined if the document has no Markdown. */
  text: Uint8Array<ArrayBuffer> | undefined
}

type Values = Record<string, unknown>

export function exportDocument(bytes: Uint8Array, form: ExportForm): ExportedDocument {
  const document = asValues(JSON.parse(new TextDecoder().decode(bytes)))
  const metadata = asValues(document.metadata)
  const { markdown } = document
  const row = form === 'csv' ? toRow(document, metadata) : undefined
  const text = row ?? (typeof markdown === 'string' ? frontMatter(metadata) + markdown : undefined)
  return {
    url: asText(metadata.url ?? metadata.sourceURL),
    text: text === undefined ? undefined : new TextEncoder().encode(text),
  }
}

const metadataColumns = 'url sourceURL title description language statusCode contentType'.split(' ')
const documentColumns = ['warning', 'summary', 'json', 'markdown']

export const csvHeader = `${[...metadataColumns, ...documentColumns].join(',')}\r\n`

function toRow(document: Values, metadata: Values): string {
  const values = [
    ...metadataColumns.map((name) => metadata[name]),
    ...documentColumns.map((name) => document[name]),
  ]
  return `${values.map(toCell).join(',')}\r\n`
}

/** Spreadsheet programs evaluate a cell with such a first character as a formula. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

function toCell(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = asText(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** JSON strings are valid YAML strings, so any metadata text is safe in the front matter. */
function frontMatter(metadata: Values): string {
  const lines = metadataColumns.flatMap((name) => {
    const value = metadata[name]
    if (value === undefined || value === null) return []
    return [`${name}: ${typeof value === 'number' ? value : JSON.stringify(asText(value))}`]
  })
  return `---\n${lines.join('\n')}\n---\n\n`
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function asValues(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}
