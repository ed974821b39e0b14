import type { SearchFields } from '../../extraction/page-parts/search/search-fields.ts'
import { serveThread } from '../../platform/child/serve-requests.ts'
import { unpack } from '../../store/stored-json.ts'
import {
  addDocuments,
  type IndexedDocument,
  openIndex,
  removeExpired,
  removePages,
  removeTeam,
  type SearchIndex,
} from '../index/documents.ts'
import {
  claimVectors,
  recordSearch,
  saveVectors,
  type VectorBatch,
  type VectorClaim,
} from '../index/make-vectors.ts'
import { documentsOfPage, type PageToIndex } from '../index/page-documents.ts'
import { rebuildSome } from '../index/rebuild.ts'
import { pageKey } from '../index/same-page.ts'
import { type IndexSearch, searchIndex } from '../index/search-index.ts'
import type { SearchStore } from '../index/tables.ts'
import { markTexts } from '../passages/passage.ts'
import type { Query } from '../query/query.ts'

/** A page that waits to be indexed. */
export interface PendingPage extends Omit<PageToIndex, 'fields'> {
  teamId: string
  /** Fields as packed JSON; empty if the page no longer exists. */
  fields: Uint8Array
}

type Work = ReturnType<typeof createWork>
/** A request to the thread of the index. */
export type SearchRequest = {
  [Kind in keyof Work]: { kind: Kind } & Parameters<Work[Kind]>[0]
}[keyof Work]
export type SearchResults = { [Kind in keyof Work]: Awaited<ReturnType<Work[Kind]>> }

/** Handles the requests to this thread: searches immediately, changes of the index one after the other. */
export function serveSearch(store: SearchStore): void {
  const work = createWork(openIndex(store))
  serveThread(async (request: SearchRequest) => {
    // The kind of a request determines its other fields.
    const run = work[request.kind] as (request: SearchRequest) => Promise<SearchResults[keyof Work]>
    return run(request)
  })
}

/** Functions for the kinds of requests. */
function createWork(index: SearchIndex) {
  const { store } = index
  let changes: Promise<unknown> = Promise.resolve()

  function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = changes.then(work)
    changes = done.catch(() => undefined)
    return done
  }

  return {
    /** The result has the number of pages that could not be read. */
    index: ({ pages }: { pages: PendingPage[] }) => inTurn(() => indexPages(index, pages)),
    async search({ wanted, now }: { wanted: IndexSearch; now: number }) {
      const result = await searchIndex(index, wanted)
      // Later, so that the caller does not wait for it. A failed write only delays vectors.
      inTurn(() => recordSearch(store, result, now)).catch(() => undefined)
      return result
    },
    /** Positions of words of the query in each text. */
    mark: ({ query, texts }: { query: Query; texts: string[] }) => markTexts(query, texts),
    /** Removes expired documents. */
    sweep: ({ now }: { now: number }) =>
      inTurn(async () => {
        while ((await removeExpired(index, now)) > 0);
      }),
    /** Removes the documents of a team. */
    forget: ({ teamId }: { teamId: string }) => inTurn(() => removeTeam(index, teamId)),
    claimVectors: (wanted: VectorClaim) => inTurn(() => claimVectors(store, wanted)),
    saveVectors: (vectors: VectorBatch) => inTurn(() => saveVectors(store.query, vectors)),
    /** Does one step of a rebuild. */
    rebuild: (_: object) => inTurn(() => rebuildSome(index)),
  }
}

const maxFieldBytes = 16 * 1024 * 1024

async function indexPages(index: SearchIndex, pages: PendingPage[]): Promise<{ unread: number }> {
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
        const json = Buffer.from(await unpack(fields, maxFieldBytes)).toString()
        // The page reader of this service has written them, and JSON leaves out what is undefined.
        const found = await documentsOfPage({ ...page, fields: JSON.parse(json) as SearchFields })
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
