import { z } from 'zod'
import { downloadFormats } from '../../features/download/download.ts'
import { document } from '../../features/scrape/schema.ts'
import type { ParentKind } from '../app/parent-jobs.ts'
import { defineEndpoint, envelope, integerInQuery, jobId, ok } from '../endpoint.ts'
import { messageStream } from '../event-stream.ts'
import { Streamed } from '../send-response.ts'
import { toStatusResponse, watchMessages } from '../watch.ts'

interface ParentJobKind {
  kind: ParentKind
  path: string
  tag: string
  noun: string
}

export function parentJobEndpoints(job: ParentJobKind) {
  const { kind, path, tag, noun } = job
  return {
    status: defineEndpoint({
      method: 'GET',
      path: `${path}/{id}`,
      summary: `Read the progress and the documents of a ${noun}`,
      tag,
      params: jobId,
      query: pageQuery,
      response: parentStatus,
      errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND'],
      async handle({ app, team, params: { id }, query, publicUrl }) {
        const status = await app.parentStatus(team, { id, kind }, query)
        return ok(toStatusResponse(status, `${publicUrl}${path}/${id}`, query.limit))
      },
    }),
    cancel: defineEndpoint({
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Cancel a ${noun}; scraped pages stay readable`,
      tag,
      params: jobId,
      response: envelope({ status: z.literal('cancelled') }),
      errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND', 'JOB_ALREADY_ENDED'],
      async handle({ app, team, params: { id } }) {
        await app.cancelParent(team, { id, kind })
        return ok({ status: 'cancelled' as const })
      },
    }),
    retry: defineEndpoint({
      method: 'POST',
      path: `${path}/{id}/retry`,
      summary: `Retry the failed pages of a ${noun} as a new batch`,
      tag,
      params: jobId,
      response: envelope({
        id: z.string().describe('Id of the new batch.'),
        url: z.string().describe('URL of the status.'),
        count: z.int().describe('Number of pages that are retried.'),
      }),
      errors: [
        'INVALID_JOB_ID',
        'JOB_NOT_FOUND',
        'JOB_NOT_FINISHED',
        'NOTHING_TO_RETRY',
        'CREDITS_EXHAUSTED',
        'IDEMPOTENCY_KEY_REUSED',
      ],
      async handle({ app, team, params, idempotencyKey, publicUrl }) {
        const parent = { id: params.id, kind }
        const { id, count, warning } = await app.retryParent(team, parent, idempotencyKey)
        const url = `${publicUrl}/v2/batch/scrape/${id}`
        return ok({ id, url, count, ...(warning === undefined ? {} : { warning }) })
      },
    }),
    ...streamEndpoints(job),
  }
}

function streamEndpoints({ kind, path, tag, noun }: ParentJobKind) {
  return {
    events: defineEndpoint({
      method: 'GET',
      path: `${path}/{id}/events`,
      summary: `Stream the documents of a ${noun} as server-sent events`,
      tag,
      params: jobId,
      response: z.never(),
      streams: { types: ['text/event-stream'], description: eventsDescription },
      errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND'],
      handle({ app, team, params: { id }, publicUrl, ...call }) {
        const signal = AbortSignal.any([call.signal(), call.stopping])
        const watchable = { id, kinds: [kind], path: `${path}/${id}`, team }
        return messageStream(watchMessages({ app, publicUrl: () => publicUrl }, watchable, signal), signal)
      },
    }),
    download: defineEndpoint({
      method: 'GET',
      path: `${path}/{id}/download`,
      summary: `Download the documents of a ${noun} as one file`,
      tag,
      params: jobId,
      query: downloadQuery,
      response: z.never(),
      streams: {
        types: Object.values(contentTypes).map((type) => type.replace(/;.*/, '')),
        description: downloadDescription,
      },
      errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND', 'OPTION_NOT_AVAILABLE'],
      async handle({ app, team, params, query: { format }, ...call }) {
        const signal = AbortSignal.any([call.signal(), call.stopping])
        const { id, chunks } = await app.downloadParent(team, { id: params.id, kind }, { format, signal })
        const disposition = `attachment; filename="${noun}-${id}.${format}"`
        return new Streamed(
          { 'content-type': contentTypes[format], 'content-disposition': disposition },
          chunks,
        )
      },
    }),
  }
}

const pageQuery = z.object({
  skip: integerInQuery(0, 1e9).default(0).describe('Number of documents to skip at the start.'),
  limit: integerInQuery(1, 100).default(100).describe('Maximum number of documents in one response.'),
})

export const parentStatus = envelope({
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  total: z.int().describe('Pages that did not fail.'),
  completed: z.int(),
  creditsUsed: z.int(),
  expiresAt: z.string(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  duration: z.number().optional().describe('Seconds from the start to the end; present after the end.'),
  error: z.string().optional().describe('Reason for the failure.'),
  next: z.string().optional().describe('URL of the next documents; absent if none are available now.'),
  data: z.array(document),
}).meta({ id: 'JobStatus' })

export const errorList = z.array(
  z
    .object({
      id: z.string(),
      timestamp: z.string().optional(),
      url: z.string(),
      code: z.string(),
      error: z.string(),
    })
    .meta({ id: 'PageError' }),
)

const eventsDescription =
  'The data of each event is JSON. `catchup`: status of the job with the available documents; sent first while the job runs, and again before the end if it failed or was cancelled. `document`: one completed page, sent once. `done`: the job has ended with its status, and the stream ends. For an ended job, all documents are sent first. A comment is sent every 15 seconds. A new connection starts from the beginning.'

const contentTypes = {
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  zip: 'application/zip',
} satisfies Record<(typeof downloadFormats)[number], string>

const downloadQuery = z.object({
  format: z
    .enum(downloadFormats)
    .default('jsonl')
    .describe(
      'jsonl: one document per line, unchanged; csv: one row per page; zip: one Markdown file per page, named after its URL.',
    ),
})

const downloadDescription =
  'The available documents in the order of scraping. Table cells that begin like a formula are prefixed with an apostrophe. Markdown files begin with the metadata of the page as YAML.'
