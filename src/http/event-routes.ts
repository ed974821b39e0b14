import { once } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../accounts/authenticate.ts'
import type { Admit } from '../accounts/limits.ts'
import type { App } from '../app.ts'
import { type Watched, watchedIn, watchMessages } from './watch.ts'

export interface EventNeeds {
  app: App
  authenticate: Authenticate
  admit: Admit
  publicUrl: () => string
  corsOpen: boolean
}

const commentEvery = 15_000

/** Server-sent events of a crawl or a batch, for people with curl and pages with EventSource. */
export function addEventRoutes(fastify: FastifyInstance, needs: EventNeeds): void {
  for (const path of ['/v2/crawl/:id/events', '/v2/batch/scrape/:id/events']) {
    fastify.get(path, async (request, reply) => {
      const watched = watchedIn(new URL(request.url, 'http://localhost').pathname.replace(/\/events\/?$/, ''))
      if (watched) await sendEvents(needs, watched, request, reply)
    })
  }
}

async function sendEvents(
  needs: EventNeeds,
  watched: Watched,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const team = await needs.authenticate(request.headers.authorization)
  await needs.admit(team, 'read')
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const messages = watchMessages(needs, { ...watched, team }, gone.signal)
  // The first message is waited for: a job that is not there is answered like anywhere else.
  let next = await messages.next()
  reply.hijack()
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
    ...(needs.corsOpen ? { 'access-control-allow-origin': '*' } : {}),
  })
  const comments = setInterval(() => reply.raw.write(': still here\n\n'), commentEvery)
  try {
    for (; !next.done && !gone.signal.aborted; next = await messages.next()) {
      const { type, data } = next.value
      const isRoom = reply.raw.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
      if (!isRoom) await once(reply.raw, 'drain', { signal: gone.signal }).catch(() => undefined)
    }
  } finally {
    clearInterval(comments)
    reply.raw.end()
  }
}
