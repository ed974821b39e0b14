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
import { rebuildStep } from '../index/rebuild.ts'
import { pageKey } from '../index/same-page.ts'
import { type IndexSearch, searchIndex } from '../index/search-index.ts'
import type { SearchStore } from '../index/tables.ts'
import { markTexts } from '../passages/passage.ts'
import type { Query } from '../query/query.ts'

export interface PendingPage extends Omit<PageToIndex, 'fields'> {
  teamId: string
  /** Fields as compressed JSON; empty if the page no longer exists. */
  fields: Uint8Array
}

type Work = ReturnType<typeof createWork>
export type SearchRequest = {
  [Kind in keyof Work]: { kind: Kind } & Parameters<Work[Kind]>[0]
}[keyof Work]
export type SearchResults = { [Kind in keyof Work]: Awaited<ReturnType<Work[Kind]>> }

export function serveSearch(store: SearchStore): void {
  const work = createWork(openIndex(store))
  serveThread(async (request: SearchRequest) =>
    // The kind of a request determines its other fields.
    (work[request.kind] as (request: SearchRequest) => Promise<SearchResults[keyof Work]>)(request),
  )
}

function createWork(index: SearchIndex) {
  const { store } = index
  let changes: Promise<unknown> = Promise.resolve()

  function runInOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = changes.then(work)
    changes = done.catch(() => undefined)
    return done
  }

  return {
    index: ({ pages }: { pages: PendingPage[] }) => runInOrder(() => indexPages(index, pages)),
    async search({ wanted: search, now }: { wanted: IndexSearch; now: number }) {
      const result = await searchIndex(index, search)
      // Runs later, so that the caller does not wait. A failed write only delays vectors.
      runInOrder(() => recordSearch(store, result, now)).catch(() => undefined)
      return result
    },
    mark: ({ query, texts }: { query: Query; texts: string[] }) => markTexts(query, texts),
    sweep: ({ now }: { now: number }) =>
      runInOrder(async () => {
        while ((await removeExpired(index, now)) > 0);
      }),
    removeTeam: ({ teamId }: { teamId: string }) => runInOrder(() => removeTeam(index, teamId)),
    claimVectors: (claim: VectorClaim) => runInOrder(() => claimVectors(store, claim)),
    saveVectors: (vectors: VectorBatch) => runInOrder(() => saveVectors(store.query, vectors)),
    rebuild: (_: object) => runInOrder(() => rebuildStep(index)),
  }
}

const maxFieldBytes = 16 * 1024 * 1024

async function indexPages(index: SearchIndex, pages: PendingPage[]): Promise<{ unread: number }> {
  let unread = 0
  for (const [teamId, teamPages] of Map.groupBy(pages, (page) => page.teamId)) {
    // Of several fetches of a page, the last one counts.
    const latest = new Map(teamPages.map((page) => [pageKey(page.url), page]))
    const removedKeys = [...latest].filter(([, { fields }]) => fields.length === 0).map(([key]) => key)
    if (removedKeys.length > 0) await removePages(index, teamId, removedKeys)
    const documents: Record<'page' | 'image', IndexedDocument[]> = { page: [], image: [] }
    for (const { fields, ...page } of latest.values()) {
      if (fields.length === 0) continue
      try {
        const json = Buffer.from(await unpack(fields, maxFieldBytes)).toString()
        // The page reader of this service wrote the JSON, which omits undefined fields.
        const pageDocuments = await documentsOfPage({ ...page, fields: JSON.parse(json) as SearchFields })
        documents.page.push(pageDocuments.page)
        if (pageDocuments.images) documents.image.push(pageDocuments.images)
      } catch {
        // The page is indexed after its next fetch.
        unread += 1
      }
    }
    for (const kind of ['page', 'image'] as const)
      if (documents[kind].length > 0) await addDocuments(index, { teamId, kind }, documents[kind])
  }
  return { unread }
}
