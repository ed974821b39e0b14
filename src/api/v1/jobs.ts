import { z } from 'zod'
import { JsonText } from '../../platform/json/json.ts'
import { parentStatus } from '../endpoints/parent-job.ts'
import type { MatchWatchPath, WatchMessage } from '../watch.ts'
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
export const matchV1Watch: MatchWatchPath = (pathname) => {
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
