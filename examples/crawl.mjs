// Crawls a site and prints each page as soon as it is scraped, by server-sent events.
// WINNOW_KEY=fc-... node examples/crawl.mjs https://example.com
const base = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const authorization = `Bearer ${process.env.WINNOW_KEY}`
const url = process.argv[2] ?? 'https://example.com'

const started = await fetch(`${base}/v2/crawl`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ url, limit: 20, scrapeOptions: { formats: ['markdown'] } }),
})
const { id, error } = await started.json()
if (error) throw new Error(error)

const events = await fetch(`${base}/v2/crawl/${id}/events`, { headers: { authorization } })
let pending = ''
for await (const chunk of events.body.pipeThrough(new TextDecoderStream())) {
  const messages = (pending + chunk).split('\n\n')
  pending = messages.pop() ?? ''
  for (const message of messages) {
    const [type, data] = message.split('\ndata: ')
    if (type === 'event: document') {
      const { metadata, markdown } = JSON.parse(data)
      process.stdout.write(`${metadata.url}: ${markdown.length} characters of Markdown\n`)
    } else if (type === 'event: done') {
      process.stdout.write(`${JSON.parse(data).completed} pages\n`)
    }
  }
}
