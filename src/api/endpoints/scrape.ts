import type { z } from 'zod'
import { parsedDocument, parseOptions } from '../../features/parse.ts'
import { document, scrapeRequest } from '../../features/scrape/schema.ts'
import { defineEndpoint, documentErrors, envelope, fetchErrors, jobId, ok } from '../endpoint.ts'

export const postScrape = defineEndpoint({
  method: 'POST',
  path: '/v2/scrape',
  summary: 'Fetch one URL and return it in the requested formats',
  tag: 'Scrape',
  body: scrapeRequest,
  response: envelope({ data: document }),
  warningIn: 'data',
  unsupportedFields: {
    alexandria:
      'It is a catalogue of the hosted service. POST /v2/scrape with url reads a page, POST /v2/search finds one.',
  },
  errors: [
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
    'OPTION_NOT_AVAILABLE',
    'CREDITS_EXHAUSTED',
    'IDEMPOTENCY_KEY_REUSED',
    'ZERO_RETENTION_NOT_ENABLED',
    'TARGET_FORBIDDEN',
    'SCRAPE_NO_CACHED_DATA',
    'SCRAPE_LOCKDOWN_CACHE_MISS',
    'SCRAPE_TIMEOUT',
    'CONCURRENCY_QUEUE_TIMEOUT',
    ...fetchErrors,
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
    ...documentErrors,
    'SCRAPE_PDF_OCR_REQUIRED',
    'OCR_NOT_CONFIGURED',
    'SCRAPE_JOB_CANCELLED',
    'SCRAPE_ACTION_ERROR',
    'BROWSER_NOT_CONFIGURED',
    'BROWSER_FAILED',
    'PROFILE_IN_USE',
    'PROFILE_UNREADABLE',
  ],
  async handle({ app, team, body, signal, idempotencyKey }) {
    const data = await app.scrape(team, body, { signal: signal(), idempotencyKey })
    // The cast is safe: a stored document is the result of an earlier scrape, which was validated when it was created.
    return ok({ data: data as z.input<typeof document> })
  },
})

export const getScrape = defineEndpoint({
  method: 'GET',
  path: '/v2/scrape/{id}',
  summary: 'Get the result of a previous scrape',
  tag: 'Scrape',
  params: jobId,
  response: envelope({ data: document }),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND', 'JOB_NOT_FINISHED'],
  async handle({ app, team, params }) {
    // The cast is safe: the stored result was validated when it was created.
    return ok({ data: (await app.scrapeResult(team, params.id)) as unknown as z.input<typeof document> })
  },
})

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
