import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../accounts/authenticate.ts'
import type { Admit } from '../accounts/limits.ts'
import type { App } from '../app.ts'
import { jsonChunks } from '../base/write-json.ts'
import { openToPages } from './open-to-pages.ts'
import { type Watched, type WatchMessage, watchedInV2, watchMessages } from './watch.ts'

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
      if (needs.corsOpen) reply.headers(openToPages)
      const watched = watchedInV2(
        new URL(request.url, 'http://localhost').pathname.replace(/\/events\/?$/, ''),
      )
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
    ...(needs.corsOpen ? openToPages : {}),
  })
  const comments = setInterval(() => reply.raw.write(': still here\n\n'), commentEvery)
  try {
    for (; !next.done && !gone.signal.aborted; next = await messages.next()) {
      await writeEvent(reply.raw, next.value, gone.signal)
    }
  } finally {
    clearInterval(comments)
    reply.raw.end()
  }
}

/** As fast as it is read: whoever does not read is cut by the server, which ends the wait. */
async function writeEvent(
  response: ServerResponse,
  { type, data }: WatchMessage,
  gone: AbortSignal,
): Promise<void> {
  response.write(`event: ${type}\ndata: `)
  for await (const chunk of jsonChunks(data)) {
    if (gone.aborted) return
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone }).catch(() => undefined)
  }
  response.write('\n\n')
}
