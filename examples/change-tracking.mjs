// Prints the changes of a page since the last run of this program; the first run prints "new".
// WINNOW_KEY=fc-... node examples/change-tracking.mjs https://example.com
const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''
const url = process.argv[2] ?? 'https://example.com'

// Each tag has a separate history, so other programs that track the same page do not affect this one.
const tracking = { type: 'changeTracking', modes: ['git-diff'], tag: 'example' }
const response = await fetch(`${service}/v2/scrape`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ url, formats: ['markdown', tracking] }),
})
const result = await response.json()
if (!result.success) {
  process.stderr.write(`${response.status} ${result.code}: ${result.error}\n`)
  process.exit(1)
}
const { changeTracking, warning } = result.data
if (warning) process.stderr.write(`${warning}\n`)
// Absent if the response is not a version of the page, such as a status 500; the warning contains the reason.
if (!changeTracking) process.exit(1)
const { changeStatus, previousScrapeAt, diff, diffJson } = changeTracking
process.stdout.write(`${changeStatus}, compared with ${previousScrapeAt ?? 'nothing'}\n`)
if (diff) {
  const changes = diffJson.files.flatMap((file) => file.chunks).flatMap((chunk) => chunk.changes)
  const count = (type) => changes.filter((change) => change.type === type).length
  process.stdout.write(`${count('add')} lines added, ${count('del')} removed\n\n${diff}`)
}
