import { setTimeout as sleep } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { z } from 'zod'
import { listener } from '../../base/listener.ts'
import type { SearchFields } from '../../page-data/search/search-fields.ts'
import { unpack } from '../../store/packed.ts'
import { addDocuments, type IndexedDocument } from '../index/add-documents.ts'
import { compactBlocks } from '../index/compact-blocks.ts'
import { indexPage } from '../index/index-page.ts'
import { areVectorsDue, makeVectors, type VectorsWanted } from '../index/make-vectors.ts'
import { pageKey } from '../index/page-key.ts'
import { removeExpired, removePages } from '../index/remove-documents.ts'
import { removeTeam } from '../index/remove-team.ts'
import { type IndexSearch, searchIndex } from '../index/search-index.ts'
import type { SearchStore } from '../index/tables.ts'
import { markTexts } from '../passages/mark-texts.ts'
import type { SentenceModel } from '../sentence-model/open-model.ts'
import type {
  AnswerMessage,
  OrderMessage,
  PendingPage,
  SearchAnswers,
  SearchOrder,
  VectorsMessage,
} from './messages.ts'
import { type EmbedTexts, requestVectors } from './request-vectors.ts'
import { searchByMeaning } from './search-by-meaning.ts'

export interface ServeNeeds {
  store: SearchStore
  /** True if the main thread passes texts on to the sentence model. */
  hasModel: boolean
}

/** Answers what comes through a port: searches at once, changes of the index one after the other. */
export function serveSearch({ store, hasModel }: ServeNeeds, port: MessagePort): void {
  let changes: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const searches = new Set<Promise<unknown>>()
  const vectors = requestVectors(port)

  /** Vectors leave half of a core to others, and a search or a change comes before the next one. */
  const pause = async (workedMs: number) => {
    await sleep(workedMs)
    while (searches.size > 0) await Promise.allSettled(searches)
    return waiting === 0
  }

  const search = (wanted: IndexSearch) =>
    before(hasModel ? searchByMeaning(store, wanted, vectors.embed) : searchIndex(store, wanted))

  /** Callers wait for it: vectors of the index come later. */
  function before<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const done: Promise<unknown> = answer.catch(() => undefined).finally(() => searches.delete(done))
    searches.add(done)
    return answer
  }

  let afterIndex = ''
  const embedSome = async (now: number) => {
    const { index, ...answer } = await embed(store, vectors.embed, { now, afterIndex, pause })
    afterIndex = index ?? ''
    return answer
  }

  function change(order: ChangeOrder): Promise<SearchAnswers[ChangeOrder['kind']]> {
    if (order.kind === 'index') return index(store, order.pages)
    if (order.kind === 'sweep') return sweep(store, order.now)
    if (order.kind === 'forget') return forget(store, order.teamId)
    return hasModel ? embedSome(order.now) : noVectors
  }

  function run(order: SearchOrder): Promise<SearchAnswers[SearchOrder['kind']]> {
    if (order.kind === 'search') return search(order.wanted)
    if (order.kind === 'mark') return markTexts(order.query, order.texts)
    waiting += 1
    const changed = changes.then(() => {
      waiting -= 1
      return change(order)
    })
    changes = changed.catch(() => undefined)
    return changed
  }

  const hear = (message: OrderMessage | VectorsMessage) => {
    if ('embedId' in message) return vectors.receive(message)
    const { id, order } = message
    const answer = (message: AnswerMessage) => port.postMessage(message)
    run(order).then(
      (done) => answer({ id, done }),
      (problem) => answer({ id, problem }),
    )
  }
  port.on(
    'message',
    listener(hear, () => port.close()),
  )
}

type ChangeOrder = Exclude<SearchOrder, { kind: 'search' | 'mark' }>

const noVectors: Promise<SearchAnswers['embed']> = Promise.resolve({ isDone: true })

async function embed(
  store: SearchStore,
  embedTexts: EmbedTexts,
  wanted: VectorsWanted,
): Promise<SearchAnswers['embed'] & { index?: string | undefined }> {
  if (!(await areVectorsDue(store, wanted.now))) return { isDone: true }
  if (!(await wanted.pause(0))) return { isDone: false }
  let end: SearchAnswers['embed'] | undefined
  const model: SentenceModel = {
    async embed(text) {
      const outcome = await embedTexts([text], { team: 'background', isBackground: true })
      if ('obstacle' in outcome) end = { isDone: true, obstacle: outcome.obstacle }
      if (outcome.isLate) end = { isDone: false }
      // The documents that were taken are taken again after a while.
      if (end) throw new Error('The sentence model does not answer now.')
      // A text with which the model has failed twice is found by its words alone, instead of being tried for ever.
      return ('vectors' in outcome && outcome.vectors[0]) || new Int8Array()
    },
  }
  try {
    const index = await makeVectors(store, model, wanted)
    return { isDone: index === undefined, index }
  } catch (thrown) {
    if (!end) throw thrown
    return end
  }
}

const mostFields = 16 * 1024 * 1024

async function index(store: SearchStore, pages: PendingPage[]): Promise<SearchAnswers['index']> {
  let changed = 0
  let unread = 0
  for (const [teamId, ofTeam] of Map.groupBy(pages, (page) => page.teamId)) {
    // Of several visits to a page, the last one counts.
    const last = new Map(ofTeam.map((page) => [pageKey(page.url), page]))
    const gone = [...last].filter(([, { fields }]) => fields.length === 0).map(([key]) => key)
    if (gone.length > 0) await removePages(store, teamId, gone)
    const documents: Record<'page' | 'image', IndexedDocument[]> = { page: [], image: [] }
    for (const pending of last.values()) {
      if (pending.fields.length === 0) continue
      const found = await documentsOf(pending)
      if (!found) {
        unread += 1
        continue
      }
      documents.page.push(found.page)
      documents.image.push(...found.images)
    }
    for (const kind of ['page', 'image'] as const)
      if (documents[kind].length > 0) changed += await addDocuments(store, { teamId, kind }, documents[kind])
  }
  return { changed, unread }
}

/** What cannot be read is not tried again: the page is indexed when it is fetched the next time. */
async function documentsOf({
  fields,
  ...page
}: PendingPage): Promise<Awaited<ReturnType<typeof indexPage>> | undefined> {
  try {
    return await indexPage({ ...page, fields: await readFields(fields) })
  } catch {
    return undefined
  }
}

async function sweep(store: SearchStore, now: number): Promise<number> {
  let removed = 0
  for (let some = 1; some > 0; removed += some) some = await removeExpired(store, now)
  await compactBlocks(store)
  return removed
}

async function forget(store: SearchStore, teamId: string): Promise<true> {
  await removeTeam(store.query, teamId)
  return true
}

const optionalNumber = z.number().optional()
const picture = z.object({ url: z.string(), text: z.string(), width: optionalNumber, height: optionalNumber })
const storedFields = z.object({
  ...{ title: z.string(), headings: z.string(), text: z.string(), description: z.string() },
  ...{ language: z.string().optional(), publishedAt: optionalNumber, modifiedAt: optionalNumber },
  ...{ isNews: z.boolean(), pictures: z.array(picture), links: z.array(z.string()) },
})

/** JSON leaves out what is undefined; everything else is as it was written. */
async function readFields(packed: Uint8Array): Promise<SearchFields> {
  const read = storedFields.parse(JSON.parse(Buffer.from(await unpack(packed, mostFields)).toString()))
  const { language, publishedAt, modifiedAt, pictures, ...fields } = read
  const sized = pictures.map(({ width, height, ...rest }) => ({ ...rest, width, height }))
  return { ...fields, language, publishedAt, modifiedAt, pictures: sized }
}
