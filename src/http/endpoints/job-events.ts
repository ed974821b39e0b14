import { z } from 'zod'
import type { ParentKind } from '../../app.ts'
import { type Call, defineEndpoint, jobId } from '../endpoint.ts'
import { messageStream } from '../message-stream.ts'
import type { Streamed } from '../streamed.ts'
import { watchMessages } from '../watch.ts'

const shared = {
  method: 'GET' as const,
  params: jobId,
  response: z.never(),
  streams: {
    types: ['text/event-stream'],
    description:
      'Each event has JSON as its data. `catchup`: how the job stands, as its status is read, with the documents that are there; first while it runs, and once more before the end where it failed or was cancelled. `document`: a page, once, when it is done. `done`: the job has ended, as its status says; then the stream ends. Of a job that has ended all documents come first. A comment every 15 seconds. A new connection starts from the beginning.',
  },
  errors: ['INVALID_JOB_ID' as const, 'FORBIDDEN' as const, 'JOB_NOT_FOUND' as const],
}

type EventsCall = Pick<
  Call<{ id: string }, unknown, unknown>,
  'app' | 'team' | 'params' | 'publicUrl' | 'signal' | 'stopping'
>

function follow(kind: ParentKind, path: string, call: EventsCall): Promise<Streamed> {
  const { app, team, params, publicUrl, stopping } = call
  const signal = AbortSignal.any([call.signal(), stopping])
  const watched = { id: params.id, kinds: [kind], path: `${path}/${params.id}`, team }
  return messageStream(watchMessages({ app, publicUrl: () => publicUrl }, watched, signal), signal)
}

export const getCrawlEvents = defineEndpoint({
  ...shared,
  path: '/v2/crawl/{id}/events',
  summary: 'Follow a crawl, with its documents as they come, as server-sent events',
  tag: 'Crawl',
  handle: (call) => follow('crawl', '/v2/crawl', call),
})

export const getBatchScrapeEvents = defineEndpoint({
  ...shared,
  path: '/v2/batch/scrape/{id}/events',
  summary: 'Follow a batch, with its documents as they come, as server-sent events',
  tag: 'Batch scrape',
  handle: (call) => follow('batch_scrape', '/v2/batch/scrape', call),
})
