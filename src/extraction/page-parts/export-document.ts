/** Export form of a document: a CSV row, or a Markdown file with the metadata as front matter. */
export type ExportForm = 'csv' | 'markdown'

interface ExportedDocument {
  /** URL of the page; empty if the document has none. */
  url: string
  /** Exported text; undefined if the document has no Markdown. */
  text: string | undefined
}

type Values = Record<string, unknown>

export function exportDocument(json: string, form: ExportForm): ExportedDocument {
  const document = asValues(JSON.parse(json))
  const metadata = asValues(document.metadata)
  const url = asText(metadata.url ?? metadata.sourceURL)
  if (form === 'csv') return { url, text: toRow(document, metadata) }
  if (typeof document.markdown !== 'string') return { url, text: undefined }
  return { url, text: frontMatter(metadata) + document.markdown }
}

const metadataColumns = [
  ...(['url', 'sourceURL', 'title', 'description', 'language', 'statusCode', 'contentType'] as const),
]
const documentColumns = ['warning', 'summary', 'json', 'markdown'] as const

export const csvHeader = `${[...metadataColumns, ...documentColumns].join(',')}\r\n`

function toRow(document: Values, metadata: Values): string {
  const values = [
    ...metadataColumns.map((name) => metadata[name]),
    ...documentColumns.map((name) => document[name]),
  ]
  return `${values.map(toCell).join(',')}\r\n`
}

/** First character of a cell that spreadsheet programs evaluate as a formula. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

function toCell(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = asText(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns the metadata as YAML front matter. JSON strings are valid YAML strings, so any metadata text is safe. */
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
