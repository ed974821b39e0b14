import type { z } from 'zod'
import { parsedDocument, parseOptions } from '../../features/parse.ts'
import { defineEndpoint, documentErrors, envelope, jobId, ok } from '../endpoint.ts'

export const postParse = defineEndpoint({
  method: 'POST',
  path: '/v2/parse',
  summary: 'Convert one file and return it in the requested formats',
  tag: 'Parse',
  takesFile: true,
  body: parseOptions,
  response: envelope({ data: parsedDocument }),
  warningIn: 'data',
  errors: [
    'UPLOAD_TOO_LARGE',
    'UNSUPPORTED_FILE_TYPE',
    'PARSE_UNSUPPORTED_OPTIONS',
    'OPTION_NOT_AVAILABLE',
    ...documentErrors,
    'SCRAPE_PAGE_TOO_LARGE',
    'SCRAPE_PDF_OCR_REQUIRED',
    'OCR_NOT_CONFIGURED',
    'CREDITS_EXHAUSTED',
    'IDEMPOTENCY_KEY_REUSED',
    'ZERO_RETENTION_NOT_ENABLED',
    'SCRAPE_TIMEOUT',
    'CONCURRENCY_QUEUE_TIMEOUT',
    'SCRAPE_JOB_CANCELLED',
  ],
  async handle({ app, team, body, upload, signal, idempotencyKey }) {
    const call = { signal: signal(), idempotencyKey }
    const data = await app.parse(team, { file: upload, options: body }, call)
    // The cast is safe: a stored document is the result of an earlier parse, which was validated when it was created.
    return ok({ data: data as z.input<typeof parsedDocument> })
  },
})

export const getParse = defineEndpoint({
  method: 'GET',
  path: '/v2/parse/{id}',
  summary: 'Get the result of a previous parse',
  tag: 'Parse',
  params: jobId,
  response: envelope({ data: parsedDocument }),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND', 'JOB_NOT_FINISHED'],
  async handle({ app, team, params }) {
    // The cast is safe: the stored result was validated when it was created.
    return ok({ data: (await app.parseResult(team, params.id)) as unknown as z.input<typeof parsedDocument> })
  },
})
