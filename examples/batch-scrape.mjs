// Scrapes several pages in the background, waits for the end and prints a line for each page.
// WINNOW_KEY=fc-... node examples/batch-scrape.mjs https://example.com https://example.org
import { setTimeout as sleep } from 'node:timers/promises'

const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''
const args = process.argv.slice(2)
const urls = args.length > 0 ? args : ['https://example.com', 'https://example.org']

const started = await call('POST', `${service}/v2/batch/scrape`, { urls })
process.stdout.write(`batch ${started.id}\n`)

let state = await call('GET', started.url)
while (state.status === 'scraping') {
  await sleep(500)
  state = await call('GET', started.url)
}
for (let page = state; page; page = page.next && (await call('GET', page.next))) {
  for (const { metadata } of page.data) process.stdout.write(`${metadata.statusCode} ${metadata.url}\n`)
}
const { errors } = await call('GET', `${started.url}/errors`)
for (const failed of errors) process.stdout.write(`${failed.code} ${failed.url}\n`)
process.stdout.write(`${state.status}: ${state.completed} pages, ${state.creditsUsed} credits\n`)

async function call(method, url, body) {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const result = await response.json()
  if (!result.success) throw new Error(`${response.status} ${result.code}: ${result.error}`)
  return result
}
