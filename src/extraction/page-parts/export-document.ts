/** What is made of a document: a row of a table, or a Markdown file with what is known of the page before it. */
export type ExportForm = 'csv' | 'markdown'

interface ExportedDocument {
  /** The address of the page, empty where the document has none. */
  url: string
  /** Undefined where the document has no Markdown. */
  text: string | undefined
}

type Values = Record<string, unknown>

export function exportDocument(json: string, form: ExportForm): ExportedDocument {
  const document = valuesIn(JSON.parse(json))
  const metadata = valuesIn(document.metadata)
  const url = shown(metadata.url ?? metadata.sourceURL)
  if (form === 'csv') return { url, text: rowOf(document, metadata) }
  if (typeof document.markdown !== 'string') return { url, text: undefined }
  return { url, text: frontMatter(metadata) + document.markdown }
}

const ofMetadata = [
  ...(['url', 'sourceURL', 'title', 'description', 'language', 'statusCode', 'contentType'] as const),
]
const ofDocument = ['warning', 'summary', 'json', 'markdown'] as const

export const csvHeader = `${[...ofMetadata, ...ofDocument].join(',')}\r\n`

function rowOf(document: Values, metadata: Values): string {
  const values = [...ofMetadata.map((name) => metadata[name]), ...ofDocument.map((name) => document[name])]
  return `${values.map(cell).join(',')}\r\n`
}

/** Programs that show tables run a cell that begins like this as a formula. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

function cell(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = shown(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** JSON strings are strings of YAML as well, whatever a page calls itself. */
function frontMatter(metadata: Values): string {
  const lines = ofMetadata.flatMap((name) => {
    const value = metadata[name]
    if (value === undefined || value === null) return []
    return [`${name}: ${typeof value === 'number' ? value : JSON.stringify(shown(value))}`]
  })
  return `---\n${lines.join('\n')}\n---\n\n`
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function valuesIn(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}
