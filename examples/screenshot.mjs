// Takes a screenshot of a page and saves it. The URL of the screenshot needs no key and expires after 24 hours.
// WINNOW_KEY=fc-... node examples/screenshot.mjs https://example.com page.png
import { writeFile } from 'node:fs/promises'

const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''
const [url = 'https://example.com', path = 'page.png'] = process.argv.slice(2)

const response = await fetch(`${service}/v2/scrape`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ url, formats: [{ type: 'screenshot', fullPage: true }] }),
})
const result = await response.json()
if (!result.success) {
  // 503 BROWSER_NOT_CONFIGURED: the service has found no Chromium.
  process.stderr.write(`${response.status} ${result.code}: ${result.error}\n`)
  process.exit(1)
}
const { screenshot, metadata, warning } = result.data
if (warning) process.stderr.write(`${warning}\n`)

const image = await fetch(screenshot)
if (!image.ok) throw new Error(`The picture could not be read: ${image.status}`)
const bytes = Buffer.from(await image.arrayBuffer())
await writeFile(path, bytes)
process.stdout.write(`${path}: ${metadata.title ?? url}, ${image.headers.get('content-type')}, `)
process.stdout.write(`${bytes.length} bytes, ${metadata.creditsUsed} credits\n`)
