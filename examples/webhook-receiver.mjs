// Receives the events of a crawl, checks their signature and its time, and drops those it has seen.
// The service must be allowed to reach it (ALLOW_PRIVATE_NETWORK=127.0.0.1), and the team needs a secret:
// npm run key -- set --team default --webhook-secret new
// WEBHOOK_SECRET=... node examples/webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const toleranceSeconds = 300
const seen = new Set()

/** The header is t=<unix seconds>,v1=<HMAC of "seconds.body">. An old delivery that someone repeats has an old time. */
function isGenuine(body, header) {
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (hex === undefined) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  const isNear = Math.abs(Date.now() / 1000 - Number(seconds)) <= toleranceSeconds
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected) && isNear
}

createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  if (!isGenuine(body, request.headers['x-winnow-signature'])) {
    response.writeHead(401).end()
    return
  }
  const event = JSON.parse(body.toString())
  if (!seen.has(event.webhookId))
    process.stdout.write(`${event.type} ${event.data[0]?.metadata?.url ?? ''}\n`)
  seen.add(event.webhookId)
  response.end()
}).listen(4000, () => process.stdout.write('Send webhooks to http://127.0.0.1:4000/\n'))
