// Crawls a site, then searches it. Crawled pages are indexed automatically.
// WINNOW_KEY=fc-... node examples/search.mjs https://docs.example.com rotate an api key
const base = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const [url = 'https://example.com', ...searchTerms] = process.argv.slice(2)

async function call(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${process.env.WINNOW_KEY}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const result = await response.json()
  if (result.error) throw new Error(result.error)
  return result
}

const { id } = await call('POST', '/v2/crawl', { url, limit: 100 })
while ((await call('GET', `/v2/crawl/${id}`)).status === 'scraping') {
  await new Promise((resolve) => setTimeout(resolve, 1000))
}
// The last pages are searchable about a second after the crawl.
await new Promise((resolve) => setTimeout(resolve, 2000))

const { hostname } = new URL(url)
const found = await call('POST', '/v2/search', {
  query: searchTerms.join(' ') || 'documentation',
  includeDomains: [hostname],
})
for (const { title, url: page, description } of found.data.web) {
  process.stdout.write(`${title}\n  ${page}\n  ${description}\n`)
}
if (found.warning) process.stdout.write(`${found.warning}\n`)
