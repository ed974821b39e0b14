// Says what changed on a page since this program was last run for it; the first run says "new".
// WINNOW_KEY=fc-... node examples/change-tracking.mjs https://example.com
const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''
const url = process.argv[2] ?? 'https://example.com'

// A tag is a history of its own: other programs that track the same page do not disturb this one.
const tracking = { type: 'changeTracking', modes: ['git-diff'], tag: 'example' }
const response = await fetch(`${service}/v2/scrape`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ url, formats: ['markdown', tracking] }),
})
const answer = await response.json()
if (!answer.success) {
  process.stderr.write(`${response.status} ${answer.code}: ${answer.error}\n`)
  process.exit(1)
}
const { changeTracking, warning } = answer.data
if (warning) process.stderr.write(`${warning}\n`)
// Absent where the answer is no version of the page, such as a 500; the warning says why.
if (!changeTracking) process.exit(1)
const { changeStatus, previousScrapeAt, diff, diffJson } = changeTracking
process.stdout.write(`${changeStatus}, compared with ${previousScrapeAt ?? 'nothing'}\n`)
if (diff) {
  const changes = diffJson.files.flatMap((file) => file.chunks).flatMap((chunk) => chunk.changes)
  const count = (type) => changes.filter((change) => change.type === type).length
  process.stdout.write(`${count('add')} lines added, ${count('del')} removed\n\n${diff}`)
}
