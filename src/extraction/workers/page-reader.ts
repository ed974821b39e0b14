import { setTimeout as sleep } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { ContentOptions } from '../../content/content.ts'
import { isTextual } from '../../content/content-type.ts'
import { isSameText, valueChanges } from '../../content/diff.ts'
import { recordTexts, sharedTexts } from '../../content/main-content/site-blocks.ts'
import type { Page } from '../../content/page.ts'
import type { CheckAnswer, CheckedReply } from '../../platform/check-answer-text.ts'
import { shareBytes } from '../../platform/json/join-bytes.ts'
import type { Log } from '../../platform/log.ts'
import type { PermitOwner } from '../../platform/permits.ts'
import type { ClassifyMode, PageClassification } from '../classify/classify-page.ts'
import type { PageClaims, VerifiedClaims } from '../grounding/ground.ts'
import type { MergeResult } from '../merge/merging.ts'
import type { StoredPage } from '../merge/stored-page.ts'
import type { ReadPrompt } from '../page-parts/crawl-prompt.ts'
import { type ExportForm, exportDocument } from '../page-parts/export-document.ts'
import { type PageParts, type PartRequests, pageParts } from '../page-parts/parts.ts'
import { classifyAndRead } from './classify-and-read.ts'
import type { ComparedVersions, Exported, Reading, SchemaFacts, WorkerRequest } from './messages.ts'
import { deserializePart } from './serialize-parts.ts'
import { createReaderThreads, type ThreadLimits } from './threads.ts'

export interface ReaderLimits extends ThreadLimits {
  /** Most bytes as JSON of what is made of one page. */
  answerBytes: number
}

interface ReadRequest {
  options: ContentOptions
  wishes: PartRequests
  judging: ClassifyMode
  /** Whose page it is: threads are shared fairly. */
  who: PermitOwner
}

interface ReadPage {
  /** Undefined where the page is not text, or was judged first and is not good. */
  parts: PageParts | undefined
  /** Undefined where none was asked for. */
  judgement: PageClassification | undefined
}

/** Two versions of a page, as texts or in UTF-8. */
interface Versions {
  previous: Uint8Array
  current: string | Uint8Array
  showsDifference: boolean
  /** What they say of the fields of a schema, where that is compared. */
  values?: { previous: Uint8Array; current: string | Uint8Array } | undefined
}

export interface PageReader {
  /** Judges and reads a page: in another thread, so that no page holds up the others. */
  read(page: Page, request: ReadRequest, signal: AbortSignal): Promise<ReadPage>
  /** Compares two versions of a page, likewise. */
  compare(versions: Versions, who: PermitOwner, signal: AbortSignal): Promise<ComparedVersions>
  /** A document as JSON → a row of a table or a file, likewise. */
  export(document: Uint8Array, form: ExportForm, asked: Asked): Promise<Exported>
  /** Reads the JSON schema of a caller. Throws BAD_REQUEST with the name of the bound if that takes too much work. */
  schema(schema: unknown, asked: Asked): Promise<SchemaFacts>
  /** The index of the first text that is not a CSS selector. */
  invalidSelector(selectors: readonly string[], asked: Asked): Promise<number | undefined>
  /** Reads the prompt of a crawl. */
  prompt(prompt: string, paths: readonly string[], asked: Asked): Promise<ReadPrompt>
  /** Checks an answer of a language model. */
  answer: (...asked: Parameters<CheckAnswer>) => Promise<CheckedReply>
  /** Reads the stored document of a page. */
  storedPage(document: Uint8Array, url: string, asked: Asked): Promise<StoredPage>
  /** Joins what several pages say by a schema. */
  merge(schema: unknown, pages: Uint8Array[], asked: Asked): Promise<MergeResult>
  /** Work on the values of a page, on behalf of a team. */
  valueWork(who: PermitOwner, signal: AbortSignal): ValueWork
  stop(): Promise<void>
}

interface ValueWork {
  readSchema(schema: unknown): Promise<SchemaFacts>
  /** Compares what a language model claims with the page. */
  ground(claims: PageClaims): Promise<VerifiedClaims>
}

interface Asked {
  who: PermitOwner
  signal: AbortSignal
}

/** A page up to here takes the main thread a few milliseconds, while starting a thread takes some hundred. */
const largestHere = 8192

export function createPageReader(limits: ReaderLimits, log: Log): PageReader {
  const threads = createReaderThreads(limits, log)
  // The type of what a thread returns is that of the order.
  const run = async <Done>(order: WorkerRequest, { who, signal }: Asked): Promise<Done> =>
    (await threads.run(order, who, signal)) as Done
  return {
    async read(page, { options, wishes, judging, who }, signal) {
      if (!isTextual(page)) return { parts: undefined, judgement: judging === 'none' ? undefined : unread }
      if ((page.text?.length ?? page.bytes.length) <= largestHere && isCheap(options, wishes)) {
        const { judgement, made, makeSearch } = await classifyAndRead(page, { options, wishes, judging })
        return { judgement, parts: made && pageParts(made, makeSearch && madeLater(makeSearch)) }
      }
      const { captures: _, ...rest } = page
      const bare = { ...rest, bytes: await shareBytes(page.bytes) }
      const { site } = options
      const late = wishes.search && receiver()
      const order = {
        ...{ kind: 'read' as const, page: bare, wishes, judging, maxBytes: limits.answerBytes },
        ...{ options: { ...options, site: site && sharedTexts(site) }, later: late?.port },
      }
      const reading = run<Reading>(order, { who, signal }).catch((thrown) => {
        late?.close()
        throw thrown
      })
      const { judgement, made, texts } = await reading
      if (site && texts) recordTexts(site, texts)
      return { judgement, parts: made && pageParts(deserializePart(made), late?.received) }
    },
    async compare(versions, who, signal) {
      const { previous, current, showsDifference, values } = versions
      const length = (values?.previous.length ?? 0) + (values?.current.length ?? 0)
      const isSmall = previous.length + current.length + length <= largestHere
      const compared = isSmall ? compareHere(versions) : undefined
      if (compared) return compared
      const order = {
        ...{ kind: 'compare' as const, previous, current: bytesOf(current), showsDifference },
        values: values && { previous: values.previous, current: bytesOf(values.current) },
      }
      return deserializePart(
        await run<ComparedVersions>({ ...order, maxBytes: limits.answerBytes }, { who, signal }),
      )
    },
    async export(document, form, asked) {
      if (document.length <= largestHere) {
        const { url, text } = exportDocument(textOf(document), form)
        return { url, text: text === undefined ? undefined : new TextEncoder().encode(text) }
      }
      return run({ kind: 'export', document, form }, asked)
    },
    schema: (schema, asked) => run({ kind: 'schema', schema }, asked),
    invalidSelector: (selectors, asked) => run({ kind: 'selectors', selectors }, asked),
    prompt: (prompt, paths, asked) => run({ kind: 'prompt', prompt, paths }, asked),
    answer: (answer, who, signal) => run({ kind: 'answer', answer }, { who, signal }),
    storedPage: (document, url, asked) => run({ kind: 'stored-page', document, url }, asked),
    merge: (schema, pages, asked) => run({ kind: 'merge', schema, pages }, asked),
    valueWork: (who, signal) => ({
      readSchema: (schema) => run({ kind: 'schema', schema }, { who, signal }),
      ground: (claims) => run({ kind: 'ground', claims }, { who, signal }),
    }),
    stop: threads.stop,
  }
}

/** Parts that have options, and whose options change nothing about their cost. */
const cheapOptions = new Set(['redaction', 'search'])

/**
 * True if the work is bounded by the size of the page alone. A selector, a schema or a query of the caller can make any page
 * expensive, so a page with one of them is never read on the main thread.
 */
function isCheap({ includeTags, excludeTags }: ContentOptions, wishes: PartRequests): boolean {
  if (includeTags.length + excludeTags.length > 0) return false
  return Object.entries(wishes).every(
    ([name, wish]) => wish === undefined || wish === true || cheapOptions.has(name),
  )
}

/** So long after it was read, its answer is on its way. */
const laterMs = 20

/** Made here, but not before the answer. */
function madeLater(make: () => Uint8Array): PageParts['search'] {
  return async () => {
    await sleep(laterMs, undefined, { ref: false })
    try {
      return make()
    } catch {
      // The page can be scraped, if not searched.
      return undefined
    }
  }
}

/** A port for a thread to send what it makes after its answer. */
function receiver(): { port: MessagePort; received: PageParts['search']; close(): void } {
  const { port1, port2 } = new MessageChannel()
  const received = new Promise<Uint8Array | undefined>((resolve) => {
    port1.once('message', resolve)
    // The thread has ended, or had nothing to send.
    port1.once('close', () => resolve(undefined))
  })
  port1.unref()
  return { port: port2, received: () => received, close: () => port1.close() }
}

/** What is not text has nothing to be judged by. */
const unread: PageClassification = { kind: 'good', notes: [] }

/** Undefined if a difference has to be found: that takes 130 ms for two texts of 4 KB that have no line in common. */
function compareHere({ previous, current, showsDifference, values }: Versions): ComparedVersions | undefined {
  const isSame = isSameText(textOf(previous), textOf(current))
  if (!isSame && showsDifference) return undefined
  return {
    isSame,
    difference: undefined,
    values: values && valueChanges(textOf(values.previous), textOf(values.current)),
  }
}

const bytesOf = (text: string | Uint8Array) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text

const textOf = (text: string | Uint8Array) =>
  typeof text === 'string' ? text : new TextDecoder().decode(text)
