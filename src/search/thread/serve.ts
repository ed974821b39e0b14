import type { MessagePort } from 'node:worker_threads'
import { listener } from '../../base/listener.ts'
import type { SearchFields } from '../../page-data/search/search-fields.ts'
import { unpack } from '../../store/packed.ts'
import { addDocuments, type IndexedDocument } from '../index/add-documents.ts'
import { openIndex, removeExpired, removePages, removeTeam, type SearchIndex } from '../index/documents.ts'
import { claimVectors, noteSearch, saveVectors } from '../index/make-vectors.ts'
import { documentsOfPage } from '../index/page-documents.ts'
import { pageKey } from '../index/page-key.ts'
import { rebuildSome } from '../index/rebuild.ts'
import { searchIndex } from '../index/search-index.ts'
import type { SearchStore } from '../index/tables.ts'
import { markTexts } from '../passages/mark-texts.ts'
import type { PendingPage, RequestMessage, ResultMessage, SearchRequest, SearchResults } from './messages.ts'

type Result = SearchResults[SearchRequest['kind']]
type ChangeRequest = Exclude<SearchRequest, { kind: 'search' | 'mark' }>

/** Answers requests of a port: searches at once, changes of the index one after the other. */
export function serveSearch(store: SearchStore, port: MessagePort): void {
  const index = openIndex(store)
  let changes: Promise<unknown> = Promise.resolve()

  function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = changes.then(work)
    changes = done.catch(() => undefined)
    return done
  }

  async function run(request: SearchRequest): Promise<Result> {
    if (request.kind === 'mark') return markTexts(request.query, request.texts)
    if (request.kind !== 'search') return inTurn(() => change(index, request))
    const result = await searchIndex(index, request.wanted)
    // Later, so that the caller does not wait for it. A failed write only delays vectors.
    inTurn(() => noteSearch(store, result, request.now)).catch(() => undefined)
    return result
  }

  const answer = (message: ResultMessage) => port.postMessage(message)
  const onMessage = ({ id, request }: RequestMessage) =>
    run(request).then(
      (result) => answer({ id, result }),
      (error) => answer({ id, error }),
    )
  port.on(
    'message',
    listener(onMessage, () => port.close()),
  )
}

async function change(index: SearchIndex, request: ChangeRequest): Promise<Result> {
  switch (request.kind) {
    case 'index':
      return indexPages(index, request.pages)
    case 'sweep':
      while ((await removeExpired(index, request.now)) > 0);
      return true
    case 'forget':
      await removeTeam(index, request.teamId)
      return true
    case 'claimVectors':
      return claimVectors(index.store, request)
    case 'saveVectors':
      await saveVectors(index.store.query, request)
      return true
    case 'rebuild':
      return rebuildSome(index)
  }
}

const maxFieldBytes = 16 * 1024 * 1024

async function indexPages(index: SearchIndex, pages: PendingPage[]): Promise<SearchResults['index']> {
  let unread = 0
  for (const [teamId, ofTeam] of Map.groupBy(pages, (page) => page.teamId)) {
    // Of several visits to a page, the last one counts.
    const last = new Map(ofTeam.map((page) => [pageKey(page.url), page]))
    const gone = [...last].filter(([, { fields }]) => fields.length === 0).map(([key]) => key)
    if (gone.length > 0) await removePages(index, teamId, gone)
    const documents: Record<'page' | 'image', IndexedDocument[]> = { page: [], image: [] }
    for (const { fields, ...page } of last.values()) {
      if (fields.length === 0) continue
      try {
        const found = await documentsOfPage({ ...page, fields: await readFields(fields) })
        documents.page.push(found.page)
        if (found.images) documents.image.push(found.images)
      } catch {
        // It is indexed when it is fetched the next time.
        unread += 1
      }
    }
    for (const kind of ['page', 'image'] as const)
      if (documents[kind].length > 0) await addDocuments(index, { teamId, kind }, documents[kind])
  }
  return { unread }
}

async function readFields(packed: Uint8Array): Promise<SearchFields> {
  // The page reader of this service has written them, and JSON leaves out what is undefined.
  return JSON.parse(Buffer.from(await unpack(packed, maxFieldBytes)).toString()) as SearchFields
}
