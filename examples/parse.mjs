// Converts one file and prints its Markdown.
// WINNOW_KEY=fc-... node examples/parse.mjs report.pdf
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''
const path = process.argv[2] ?? 'README.md'

const form = new FormData()
form.append('file', new Blob([await readFile(path)]), basename(path))
form.append('options', JSON.stringify({ formats: ['markdown'], parsers: [{ type: 'pdf', maxPages: 50 }] }))

const response = await fetch(`${service}/v2/parse`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}` },
  body: form,
})
const result = await response.json()

if (!result.success) {
  process.stderr.write(`${response.status} ${result.code}: ${result.error}\n`)
  process.exit(1)
}
const { markdown, metadata, warning } = result.data
if (warning) process.stderr.write(`${warning}\n`)
process.stdout.write(`${markdown}\n`)
const pages =
  metadata.totalPages === undefined ? '' : `, pages ${metadata.numPages} of ${metadata.totalPages}`
process.stdout.write(
  `${metadata.sourceFile}: ${metadata.contentType}${pages}, credits ${metadata.creditsUsed}\n`,
)
