// Receives the events of a crawl, checks their signature and drops those it has seen.
// The service must be allowed to reach it (ALLOW_PRIVATE_NETWORK=127.0.0.1), and the team needs a secret:
// npm run key -- set --team default --webhook-secret new
// WEBHOOK_SECRET=... node examples/webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const seen = new Set()

createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(request.headers['x-service-signature'] ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    response.writeHead(401).end()
    return
  }
  const event = JSON.parse(body.toString())
  if (!seen.has(event.webhookId))
    process.stdout.write(`${event.type} ${event.data[0]?.metadata?.url ?? ''}\n`)
  seen.add(event.webhookId)
  response.end()
}).listen(4000, () => process.stdout.write('Send webhooks to http://127.0.0.1:4000/\n'))
