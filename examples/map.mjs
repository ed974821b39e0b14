// Lists the pages of a site, best matches for a search first.
// WINNOW_KEY=fc-... node examples/map.mjs https://example.com pricing
const base = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const [url = 'https://example.com', search] = process.argv.slice(2)

const response = await fetch(`${base}/v2/map`, {
  method: 'POST',
  headers: { authorization: `Bearer ${process.env.WINNOW_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ url, limit: 20, ...(search ? { search } : {}) }),
})
const { links, sources, leftOut, warning, error } = await response.json()
if (error) throw new Error(error)
for (const link of links) process.stdout.write(`${link.url} ${link.title ?? ''}\n`)
process.stdout.write(`${JSON.stringify({ sources, leftOut, warning })}\n`)
