import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { documentPrice } from '../accounts/prices.ts'
import { emptyUrl } from '../content/addresses.ts'
import { findTypeByMediaType, findTypeByName } from '../documents/index.ts'
import { pageFields, planParsers } from '../documents/options.ts'
import { type ReadDocument, readDocument } from '../documents/read-document.ts'
import {
  conflictOf,
  formatReadingFrom,
  maxSurcharge,
  planFormats,
  renderFormats,
} from '../extraction/formats/index.ts'
import { redactionOf } from '../extraction/page-parts/redact-option.ts'
import { throwIfTooLarge } from '../fetch/fetch-outcome.ts'
import type { Outcome, RunningJob } from '../jobs/job.ts'
import { anyJson, boundedList } from '../platform/bounded.ts'
import { startDeadline } from '../platform/deadline.ts'
import { AppError } from '../platform/errors.ts'
import { bestEffort } from '../platform/functions.ts'
import type { Deps } from './needs.ts'
import {
  callLabels,
  checkContentMode,
  document,
  documentMetadata,
  flag,
  scrapeOptions,
  throwIfFormatUnavailable,
  timeBudget,
} from './scrape/schema.ts'
import { writeDocument } from './write-document.ts'

const unused = 'No effect: a file requires no fetch.'

/** The schema accepts options of a fetch so that the error can state the reason. */
const fetchOptions = {
  actions: boundedList(anyJson('MAX_OPTION_BYTES'), 'MAX_ACTIONS').optional(),
  waitFor: z.number().optional(),
  location: anyJson('MAX_OPTION_BYTES').optional(),
  mobile: z.boolean().optional(),
  maxAge: z.number().optional(),
  minAge: z.number().optional(),
  storeInCache: z.boolean().optional(),
  lockdown: z.boolean().optional(),
  profile: anyJson('MAX_OPTION_BYTES').optional(),
}

export const parseOptions = z
  .strictObject({
    formats: scrapeOptions.formats,
    onlyMainContent: scrapeOptions.onlyMainContent,
    mainContentMode: scrapeOptions.mainContentMode,
    includeTags: scrapeOptions.includeTags,
    excludeTags: scrapeOptions.excludeTags,
    headers: scrapeOptions.headers.describe(unused),
    timeout: timeBudget(30_000),
    parsers: scrapeOptions.parsers,
    skipTlsVerification: scrapeOptions.skipTlsVerification.describe(unused),
    removeBase64Images: scrapeOptions.removeBase64Images,
    blockAds: scrapeOptions.blockAds.describe(unused),
    proxy: scrapeOptions.proxy.describe(unused),
    fastMode: scrapeOptions.fastMode.describe(unused),
    onlyCleanContent: scrapeOptions.onlyCleanContent,
    redactPII: scrapeOptions.redactPII,
    zeroDataRetention: flag(false, 'Store nothing of this request. Must be enabled for the team.'),
    ...callLabels,
    ...fetchOptions,
  })
  .superRefine(checkContentMode)
  .meta({ id: 'ParseOptions' })

export type ParseOptions = z.output<typeof parseOptions>

const { url: _, proxyUsed: __, engine: ___, ...sharedMetadata } = documentMetadata.shape

export const parsedDocument = document
  .omit({ actions: true })
  .extend({
    metadata: z
      .object({
        ...sharedMetadata,
        sourceURL: z.string().describe('Name of the uploaded file, which has no URL.'),
        sourceFile: z.string().describe('Name of the uploaded file.'),
        numPages: z.int().optional().describe('Pages that were converted.'),
        totalPages: z.int().optional().describe('Pages of the file.'),
      })
      .catchall(z.union([z.string(), z.array(z.string()), z.number(), z.boolean(), z.undefined()]))
      .meta({ id: 'ParsedDocumentMetadata' }),
  })
  .meta({ id: 'ParsedDocument' })

export type ParsedDocument = z.output<typeof parsedDocument>

export interface ParseInput {
  file: { path: string; name: string; mediaType: string | undefined }
  options: ParseOptions
}

type ParseDeps = Pick<
  Deps,
  'documents' | 'reader' | 'models' | 'indexing' | 'sentences' | 'clock' | 'retentionHours' | 'bounds' | 'log'
>

export async function parse(
  deps: ParseDeps,
  job: RunningJob<ParseInput>,
  signal: AbortSignal,
): Promise<Outcome<ParsedDocument>> {
  const { file, options } = job.input
  const plan = planParsers(options.parsers)
  const deadline = startDeadline(options.timeout - job.spentMs, 'SCRAPE_TIMEOUT', signal)
  const source = { source: { path: file.path }, name: file.name, mediaType: file.mediaType, url: emptyUrl }
  const outputs = planFormats(options, !options.zeroDataRetention)
  const isIndexed = !options.zeroDataRetention && options.storeInCache !== false
  const requestedParts = { ...outputs.requestedParts, ...(isIndexed && { search: {} }) }
  const owner = { team: job.teamId }
  const documents = { ...deps.documents, reader: deps.reader }
  const read = await readDocument(documents, source, {
    ...{ plan, requestedParts, who: owner, deadline, trace: job.trace },
    content: { ...options, onlyCleanContent: outputs.isCleaned },
    throwIfTooLarge: (page) => throwIfTooLarge(page, deps.bounds.page),
  })
  if (isIndexed)
    void bestEffort(deps.log, 'a file could not be offered to the index', () => offerToIndex(deps, job, read))
  const formatContext = {
    page: read.page,
    isFile: true,
    storeFile: () => Promise.reject(new Error('No format of a file keeps one')),
    history: undefined,
    model: deps.models(job.teamId, job.trace),
    audio: async () => ({ reason: 'an uploaded file has no recording.' }),
    sentences: deps.sentences?.(owner),
    work: deps.reader.valueWork(owner, deadline.signal),
    signal: deadline.signal,
  }
  const rendered = await deadline.during('render', () =>
    renderFormats(options.formats, read.content, formatContext),
  )
  const credits = computePrice(options, read.paged?.converted.length ?? 1, rendered.surcharge)
  const extraFields = read.paged ? pageFields(read.paged.converted, plan) : {}
  const metadata = buildMetadata(read, job, credits)
  const warnings = [
    ...[...read.warnings, ...rendered.warnings],
    ...[...read.content.warnings(), ...getIgnoredOptionWarnings(options), ...outputs.warnings],
  ]
  const result = writeDocument({ rendered, extraFields, metadata, warnings }, deps.bounds.answerBytes)
  return { credits, result }
}

function computePrice(options: ParseOptions, pages: number, surcharge: number): number {
  const isRedacted = redactionOf(options.redactPII) !== undefined
  return documentPrice({ pages, zeroRetention: options.zeroDataRetention, isRedacted, surcharge })
}

/** The file is removed from the index when its result expires. */
async function offerToIndex(deps: ParseDeps, job: RunningJob<ParseInput>, read: ReadDocument): Promise<void> {
  const { name } = job.input.file
  const fields = await read.content.search()
  if (!fields) return
  const type = findTypeByName(name) ?? findTypeByMediaType(read.page.headers['content-type'])
  deps.indexing.enqueue({
    ...{ teamId: job.teamId, url: `file:///${encodeURIComponent(name)}`, type: type?.name ?? 'file', fields },
    ...{ fetchedAt: deps.clock.now(), retentionMs: deps.retentionHours * 3600_000 },
  })
}

function buildMetadata(
  read: ReadDocument,
  job: RunningJob<ParseInput>,
  creditsUsed: number,
): ParsedDocument['metadata'] {
  const contentType = read.page.headers['content-type']
  return {
    ...read.content.metadata(),
    sourceURL: job.input.file.name,
    sourceFile: job.input.file.name,
    statusCode: 200,
    ...(contentType === undefined ? {} : { contentType }),
    scrapeId: job.id,
    ...(read.paged ? { numPages: read.paged.converted.length, totalPages: read.paged.total } : {}),
    creditsUsed,
    concurrencyLimited: job.waitedMs !== undefined,
    ...(job.waitedMs === undefined ? {} : { concurrencyQueueDurationMs: job.waitedMs }),
  }
}

export const maxParsePrice = (options: ParseOptions) =>
  computePrice(options, 1, maxSurcharge(options.formats))

export function assertFilesAllowed(options: ParseOptions): void {
  // An uploaded file has no URL and no history, and is never opened in a browser.
  const format = formatReadingFrom(options.formats, 'bytes', 'picture', 'openPage', 'history', 'network')
  if (format) throw createOptionError(`formats: ${format}`)
  const unsupported = [
    options.actions && options.actions.length > 0 ? 'actions' : undefined,
    (options.waitFor ?? 0) > 0 ? 'waitFor' : undefined,
    options.location !== undefined ? 'location' : undefined,
    options.mobile ? 'mobile' : undefined,
    options.profile !== undefined ? 'profile' : undefined,
    options.lockdown ? 'lockdown' : undefined,
    (options.maxAge ?? options.minAge) !== undefined ? 'maxAge and minAge' : undefined,
  ].find((option) => option !== undefined)
  if (unsupported) throw createOptionError(unsupported)
  const [conflict] = conflictOf(options.formats)
  if (conflict !== undefined) throw new AppError('BAD_REQUEST', { option: 'formats' }, { message: conflict })
  throwIfFormatUnavailable(options)
}

function createOptionError(option: string): AppError {
  const message = `${option} does not apply to an uploaded file. Remove it.`
  return new AppError('PARSE_UNSUPPORTED_OPTIONS', { option }, { message })
}

function getIgnoredOptionWarnings(options: ParseOptions): string[] {
  const names = [
    ...(Object.keys(options.headers).length > 0 ? ['headers'] : []),
    ...(options.storeInCache ? ['storeInCache'] : []),
    ...(options.fastMode ? ['fastMode'] : []),
    ...(options.proxy === 'enhanced' || options.proxy === 'stealth' ? ['proxy'] : []),
  ]
  return names.map((name) => `${name} has no effect: nothing is fetched for a file.`)
}

/** Returns a hash of the file content, because the path of the same upload differs in each call. */
export async function hashFile({ path }: Pick<ParseInput['file'], 'path'>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
