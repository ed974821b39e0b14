// Scrapes one page and prints its Markdown.
// WINNOW_KEY=fc-... node examples/scrape.mjs https://example.com
const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''
const url = process.argv[2] ?? 'https://example.com'

const response = await fetch(`${service}/v2/scrape`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ url, formats: ['markdown', 'links'] }),
})
const result = await response.json()

if (!result.success) {
  process.stderr.write(`${response.status} ${result.code}: ${result.error}\n`)
  process.exit(1)
}
const { markdown, links, metadata, warning } = result.data
if (warning) process.stderr.write(`${warning}\n`)
process.stdout.write(`${markdown}\n\n`)
// A page with status 404 is still a successful scrape: the metadata contains the status of the page.
process.stdout.write(`${metadata.url}: status ${metadata.statusCode}, links ${links.length}, `)
process.stdout.write(`cache ${metadata.cacheState ?? 'not asked'}, credits ${metadata.creditsUsed}\n`)
