import { z } from 'zod'
import { JsonText } from '../../platform/json/json.ts'
import { parentStatus } from '../endpoints/parent-job.ts'
import type { MatchWatchPath, WatchMessage } from '../watch.ts'
import { toV1JsonText, v1Document } from './document.ts'
import type { ToV1Url } from './translation.ts'

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

/** Clients of version 1 fail on a status with an error, so the reason is added to the warning. */
export function toV1Status({ error, ...status }: Status, { toV1Url }: { toV1Url: ToV1Url }): Status {
  const warning = [error, status.warning].filter((part) => part !== undefined).join(' ')
  return {
    ...status,
    ...(warning === '' ? {} : { warning }),
    ...(status.next === undefined ? {} : { next: toV1Url(status.next) }),
    data: status.data.map(toV1Document),
  }
}

const toV1Document = (document: unknown) => (document instanceof JsonText ? toV1JsonText(document) : document)

/** Matches `/v1/crawl/{id}` for crawls and batches: clients of version 1 watch batches there as well. */
export const matchV1Watch: MatchWatchPath = (pathname) => {
  const [, segment = '', id = ''] = /^\/v1\/(crawl|batch\/scrape)\/([^/]{1,100})\/?$/.exec(pathname) ?? []
  if (segment === '') return undefined
  return {
    ...{ id, path: `/v1/${segment}/${id}`, shown: toV1Message, closeReason },
    kinds: segment === 'crawl' ? ['crawl', 'batch_scrape'] : ['batch_scrape'],
  }
}

/** Close reason. The JavaScript client parses it as a message; an earlier message has already reported the end. */
const closeReason = '{}'

/** Clients treat "done" as "completed", so any other end is an error; they treat each document of a status as new. */
function toV1Message(message: WatchMessage): object {
  if (message.type === 'document') return { type: 'document', data: toV1Document(message.data) }
  // Messages other than documents contain a status.
  const status = message.data as Status & { status: string }
  if (message.type === 'done' && status.status !== 'completed')
    return { type: 'error', error: status.error ?? `The job has ended: ${status.status}.` }
  const hasDocuments = message.type === 'done' || status.status === 'scraping'
  return { type: message.type, data: { ...status, data: hasDocuments ? status.data.map(toV1Document) : [] } }
}
