import { z } from 'zod'
import { JsonText } from '../base/json.ts'
import { routesOf } from '../http/absent-routes.ts'
import { parentStatus } from '../http/endpoints/parent-job.ts'
import type { WatchedIn, WatchMessage } from '../http/watch.ts'
import { storedInV1, v1Document } from './document.ts'
import type { InV1 } from './translation.ts'

/** The status of a crawl or a batch, with documents as clients of the first version read them. */
export const v1JobStatus = parentStatus
  .omit({ error: true })
  .extend({ data: z.array(v1Document) })
  .meta({ id: 'V1JobStatus' })

interface Status {
  next?: string
  error?: string
  warning?: string
  data: unknown[]
}

/** A client of the first version breaks where a status has an error, so a warning says why the job ended. */
export function statusInV1({ error, ...status }: Status, { inV1 }: { inV1: InV1 }): Status {
  const warning = [error, status.warning].filter((part) => part !== undefined).join(' ')
  return {
    ...status,
    ...(warning === '' ? {} : { warning }),
    ...(status.next === undefined ? {} : { next: inV1(status.next) }),
    data: status.data.map(storedDocument),
  }
}

const storedDocument = (document: unknown) => (document instanceof JsonText ? storedInV1(document) : document)

/** `/v1/crawl/{id}` for both: clients of the first version watch a batch there, too. */
export const watchedInV1: WatchedIn = (pathname) => {
  const [, place = '', id = ''] = /^\/v1\/(crawl|batch\/scrape)\/([^/]{1,100})\/?$/.exec(pathname) ?? []
  if (place === '') return undefined
  return {
    ...{ id, path: `/v1/${place}/${id}`, shown, lastWords },
    kinds: place === 'crawl' ? ['crawl', 'batch_scrape'] : ['batch_scrape'],
  }
}

/** The client for JavaScript parses what the close says as a message. Another message has reported the end already, once. */
const lastWords = '{}'

/**
 * Clients of the first version take "done" for "completed", so any other end is sent as an error; and they take every document of a
 * status for a new one, so a status at the end has none.
 */
function shown(message: WatchMessage): object {
  if (message.type === 'document') return { type: 'document', data: storedDocument(message.data) }
  // A message that is not of a document has a status.
  const status = message.data as Status & { status: string }
  if (message.type === 'catchup')
    return {
      type: 'catchup',
      data: { ...status, data: status.status === 'scraping' ? status.data.map(storedDocument) : [] },
    }
  if (status.status === 'completed')
    return { type: 'done', data: { ...status, data: status.data.map(storedDocument) } }
  return { type: 'error', error: status.error ?? `The job has ended: ${status.status}.` }
}

/** What clients of the first version call and what has no counterpart here, and whatever else they may ask for. */
export const v1AbsentRoutes = routesOf([
  {
    name: 'deep research',
    instead:
      'POST /v2/agent looks for pages by itself and answers; POST /v2/search with scrapeOptions reads what it finds.',
    routes: ['POST /v1/deep-research', 'GET /v1/deep-research/:id'],
  },
  {
    name: 'llms.txt',
    instead: 'POST /v1/map lists the pages that such a file would name.',
    routes: ['POST /v1/llmstxt', 'GET /v1/llmstxt/:id'],
  },
  {
    name: 'this call of the first version',
    instead:
      'The same may be under /v2; GET /v1/openapi.json lists the calls of the first version that are served.',
    routes: ['GET,POST,DELETE /v1/*'],
  },
  {
    name: 'the version before the first, /v0',
    instead: 'The same calls are under /v2, with other shapes: GET /v2/openapi.json describes them.',
    routes: ['GET,POST,DELETE /v0/*'],
  },
])
