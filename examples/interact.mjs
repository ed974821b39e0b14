// Scrapes a page, then continues in a browser session on the same page: reads its links by code.
// WINNOW_KEY=fc-... node examples/interact.mjs https://example.com
const base = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const headers = {
  authorization: `Bearer ${process.env.WINNOW_KEY}`,
  'content-type': 'application/json',
}
const post = async (path, body) => {
  const response = await fetch(`${base}/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const result = await response.json()
  if (!result.success) throw new Error(result.error)
  return result
}

const scraped = await post('/scrape', { url: process.argv[2] ?? 'https://example.com' })
const path = `/scrape/${scraped.data.metadata.scrapeId}/interact`
const code = `await page.$$eval('a', (links) => links.map((link) => link.href).join('\\n'))`
const { result } = await post(path, { code })
process.stdout.write(`${result}\n`)
await fetch(`${base}/v2${path}`, { method: 'DELETE', headers: { authorization: headers.authorization } })
