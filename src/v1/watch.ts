import { JsonText } from '../base/json-text.ts'
import type { WatchedIn, WatchMessage } from '../http/watch.ts'
import { storedInV1 } from './document.ts'

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

interface Status {
  status: string
  error?: string
  data: unknown[]
}

/**
 * Clients of the first version take "done" for "completed", so any other end is sent as an error; and they take every document of a
 * status for a new one, so a status at the end has none.
 */
function shown(message: WatchMessage): object {
  if (message.type === 'document') return { type: 'document', data: inV1(message.data) }
  // A message that is not of a document has a status.
  const status = message.data as Status
  if (message.type === 'catchup')
    return {
      type: 'catchup',
      data: { ...status, data: status.status === 'scraping' ? status.data.map(inV1) : [] },
    }
  if (status.status === 'completed') return { type: 'done', data: { ...status, data: status.data.map(inV1) } }
  return { type: 'error', error: status.error ?? `The job has ended: ${status.status}.` }
}

const inV1 = (document: unknown) => (document instanceof JsonText ? storedInV1(document) : document)
