// Receives the events of a crawl, checks their signature and time, and ignores repeated events.
// The service must be allowed to call this receiver (ALLOW_PRIVATE_NETWORK=127.0.0.1), and the team needs a secret:
// npm run key -- set --team default --webhook-secret new
// WEBHOOK_SECRET=... node examples/webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const toleranceSeconds = 300
const seenIds = new Set()

/** Checks the header t=<unix seconds>,v1=<HMAC of "seconds.body">. A replayed delivery has an old time. */
function isGenuine(body, header) {
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (hex === undefined) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  const isRecent = Math.abs(Date.now() / 1000 - Number(seconds)) <= toleranceSeconds
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected) && isRecent
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isGenuine(body, request.headers['x-winnow-signature'])) {
    response.writeHead(401).end()
    return
  }
  const event = JSON.parse(body.toString())
  if (!seenIds.has(event.webhookId))
    process.stdout.write(`${event.type} ${event.data[0]?.metadata?.url ?? ''}\n`)
  seenIds.add(event.webhookId)
  response.end()
}).listen(4000, () => process.stdout.write('Send webhooks to http://127.0.0.1:4000/\n'))
