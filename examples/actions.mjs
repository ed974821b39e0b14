// Runs actions on a page before it is scraped: waits, clicks an element, scrolls, runs a script, prints to PDF.
// WINNOW_KEY=fc-... node examples/actions.mjs https://example.com a
const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''
const [url = 'https://example.com', selector = 'a'] = process.argv.slice(2)

const actions = [
  { type: 'wait', selector },
  { type: 'click', selector },
  { type: 'wait', milliseconds: 500 },
  { type: 'scroll', direction: 'down' },
  { type: 'executeJavascript', script: 'document.title' },
  { type: 'pdf', format: 'A4' },
]
const response = await fetch(`${service}/v2/scrape`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ url, actions, formats: ['markdown'] }),
})
const result = await response.json()
if (!result.success) {
  // A failed action ends the call; `details` contains its index in the list and the reason.
  process.stderr.write(`${response.status} ${result.code}: ${result.error}\n`)
  process.exit(1)
}
const { markdown, actions: results, metadata } = result.data
process.stdout.write(`${markdown}\n\n`)
const [title] = results.javascriptReturns
process.stdout.write(`now at ${metadata.url}, titled ${JSON.stringify(title.value)}\n`)
process.stdout.write(`PDF, for 24 hours and without a key: ${results.pdfs[0]}\n`)
