import { setTimeout as sleep } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { ContentOptions } from '../../content/content.ts'
import { isTextual } from '../../content/content-type.ts'
import { isSameText, valueChanges } from '../../content/diff.ts'
import { getSharedTexts, recordTexts } from '../../content/main-content/site-blocks.ts'
import type { Page } from '../../content/page.ts'
import type { CheckAnswer, CheckedReply } from '../../platform/check-answer-text.ts'
import { shareBytes } from '../../platform/json/join-bytes.ts'
import type { Log } from '../../platform/log.ts'
import type { PermitOwner } from '../../platform/permits.ts'
import type { ClassifyMode, PageClassification } from '../classify/classify-page.ts'
import type { ValueWork } from '../formats/format.ts'
import type { MergeResult } from '../merge/merge-pages.ts'
import type { StoredPage } from '../merge/stored-page.ts'
import type { ParsedPrompt } from '../page-parts/crawl-prompt.ts'
import { type ExportedDocument, type ExportForm, exportDocument } from '../page-parts/export-document.ts'
import { type PageParts, type PartRequests, pageParts } from '../page-parts/parts.ts'
import { classifyAndRead } from './classify-and-read.ts'
import type { AnalyzedSchema, ComparedVersions, ReadResult, WorkerRequest } from './messages.ts'
import { deserializePart } from './serialize-parts.ts'
import { createReaderThreads, type ThreadLimits } from './threads.ts'

export interface ReaderLimits extends ThreadLimits {
  answerBytes: number
}

interface ReadRequest {
  options: ContentOptions
  requestedParts: PartRequests
  classifyMode: ClassifyMode
  who: PermitOwner
}

interface ReadPageResult {
  /** Undefined if the page is not text, or was classified first and is not good. */
  parts: PageParts | undefined
  classification: PageClassification | undefined
}

interface VersionPair {
  previous: Uint8Array
  current: string | Uint8Array
  showsDifference: boolean
  values?: { previous: Uint8Array; current: string | Uint8Array } | undefined
}

/** Reads and parses in worker threads, so that this does not block other requests. */
export interface PageReader {
  read(page: Page, request: ReadRequest, signal: AbortSignal): Promise<ReadPageResult>
  compare(versions: VersionPair, who: PermitOwner, signal: AbortSignal): Promise<ComparedVersions>
  export(document: Uint8Array, form: ExportForm, context: CallContext): Promise<ExportedDocument>
  /** Throws BAD_REQUEST with the name of the bound if this takes too much work. */
  schema(schema: unknown, context: CallContext): Promise<AnalyzedSchema>
  /** Returns the index of the first invalid CSS selector. */
  invalidSelector(selectors: readonly string[], context: CallContext): Promise<number | undefined>
  prompt(prompt: string, paths: readonly string[], context: CallContext): Promise<ParsedPrompt>
  answer: (...context: Parameters<CheckAnswer>) => Promise<CheckedReply>
  storedPage(document: Uint8Array, url: string, context: CallContext): Promise<StoredPage>
  merge(schema: unknown, pages: Uint8Array[], context: CallContext): Promise<MergeResult>
  valueWork(who: PermitOwner, signal: AbortSignal): ValueWork
  stop(): Promise<void>
}

interface CallContext {
  who: PermitOwner
  signal: AbortSignal
}

/** Reading such a page on the main thread takes a few milliseconds, and starting a thread hundreds. */
const maxMainThreadSize = 8192

export function createPageReader(limits: ReaderLimits, log: Log): PageReader {
  const threads = createReaderThreads(limits, log)
  // The request determines the type of the reply.
  const run = async <Reply>(request: WorkerRequest, { who, signal }: CallContext): Promise<Reply> =>
    (await threads.run(request, who, signal)) as Reply
  return {
    async read(page, { options, requestedParts, classifyMode, who }, signal) {
      if (!isTextual(page))
        return { parts: undefined, classification: classifyMode === 'none' ? undefined : unclassified }
      if ((page.text?.length ?? page.bytes.length) <= maxMainThreadSize && isCheap(options, requestedParts)) {
        const reading = { options, requestedParts, classifyMode }
        const { classification, builtParts, makeSearch } = await classifyAndRead(page, reading)
        const parts = builtParts && pageParts(builtParts, makeSearch && buildLater(makeSearch))
        return { classification, parts }
      }
      const { captures: _, ...pageWithoutCaptures } = page
      const transferPage = { ...pageWithoutCaptures, bytes: await shareBytes(page.bytes) }
      const { site } = options
      const searchReceiver = requestedParts.search && createReceiver()
      const request = {
        ...{ kind: 'read' as const, page: transferPage, requestedParts, classifyMode },
        maxBytes: limits.answerBytes,
        ...{ options: { ...options, site: site && getSharedTexts(site) }, later: searchReceiver?.port },
      }
      const result = run<ReadResult>(request, { who, signal })
      result.catch(() => searchReceiver?.close())
      const { classification, builtParts, texts } = await result
      if (site && texts) recordTexts(site, texts)
      const parts = builtParts && pageParts(deserializePart(builtParts), searchReceiver?.received)
      return { classification, parts }
    },
    async compare(versions, who, signal) {
      const { previous, current, showsDifference, values } = versions
      const valueLength = (values?.previous.length ?? 0) + (values?.current.length ?? 0)
      const isSmall = previous.length + current.length + valueLength <= maxMainThreadSize
      const directResult = isSmall ? compareOnMainThread(versions) : undefined
      if (directResult) return directResult
      const request = {
        ...{ kind: 'compare' as const, previous, current: toBytes(current), showsDifference },
        values: values && { previous: values.previous, current: toBytes(values.current) },
      }
      return deserializePart(
        await run<ComparedVersions>({ ...request, maxBytes: limits.answerBytes }, { who, signal }),
      )
    },
    export: async (document, form, context) =>
      document.length <= maxMainThreadSize
        ? exportDocument(document, form)
        : run({ kind: 'export', document, form }, context),
    schema: (schema, context) => run({ kind: 'schema', schema }, context),
    invalidSelector: (selectors, context) => run({ kind: 'selectors', selectors }, context),
    prompt: (prompt, paths, context) => run({ kind: 'prompt', prompt, paths }, context),
    answer: (answer, who, signal) => run({ kind: 'answer', answer }, { who, signal }),
    storedPage: (document, url, context) => run({ kind: 'stored-page', document, url }, context),
    merge: (schema, pages, context) => run({ kind: 'merge', schema, pages }, context),
    valueWork: (who, signal) => ({
      readSchema: (schema) => run({ kind: 'schema', schema }, { who, signal }),
      ground: (claims) => run({ kind: 'ground', claims }, { who, signal }),
    }),
    stop: threads.stop,
  }
}

const cheapOptions = new Set(['redaction', 'search'])

/** A selector, schema or query of the caller can make any page expensive, so it is never run on the main thread. */
function isCheap({ includeTags, excludeTags }: ContentOptions, partRequests: PartRequests): boolean {
  if (includeTags.length + excludeTags.length > 0) return false
  return Object.entries(partRequests).every(
    ([name, partRequest]) => partRequest === undefined || partRequest === true || cheapOptions.has(name),
  )
}

/** The response is usually sent by then. */
const searchDelayMs = 20

function buildLater(make: () => Uint8Array): PageParts['search'] {
  return async () => {
    await sleep(searchDelayMs, undefined, { ref: false })
    try {
      return make()
    } catch {
      // The page is still scraped, only not indexed.
      return undefined
    }
  }
}

/** A thread sends the search part on this port after its reply. */
function createReceiver(): { port: MessagePort; received: PageParts['search']; close(): void } {
  const { port1, port2 } = new MessageChannel()
  const received = new Promise<Uint8Array | undefined>((resolve) => {
    port1.once('message', resolve)
    // The thread has ended, or sends no search part.
    port1.once('close', () => resolve(undefined))
  })
  port1.unref()
  return { port: port2, received: () => received, close: () => port1.close() }
}

const unclassified: PageClassification = { kind: 'good', notes: [] }

/** Returns undefined if a diff is needed: for two texts of 4 KB without a common line it takes 130 ms. */
function compareOnMainThread(versions: VersionPair): ComparedVersions | undefined {
  const { previous, current, showsDifference, values } = versions
  const isSame = isSameText(toText(previous), toText(current))
  if (!isSame && showsDifference) return undefined
  return {
    isSame,
    difference: undefined,
    values: values && valueChanges(toText(values.previous), toText(values.current)),
  }
}

const toBytes = (text: string | Uint8Array) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text

const toText = (text: string | Uint8Array) =>
  typeof text === 'string' ? text : new TextDecoder().decode(text)
