import type { BenchStore } from './stores.ts'

/**
 * HERE VECTORS ARE AWAITED. Documents are added through the same functions as the service uses, and searched through
 * `searchIndex`: where the sentence model writes vectors behind the back of these, wait here until every document has
 * its own, so that what is measured afterwards is the whole ranking. Answers the share of documents that have one.
 */
export async function awaitVectors({ store }: BenchStore): Promise<number> {
  const { all, ready } = await store.query
    .selectFrom('search_documents')
    .select((row) => [row.fn.countAll<number>().as('all'), row.fn.count<number>('vector').as('ready')])
    .executeTakeFirstOrThrow()
  return Number(ready) / Math.max(Number(all), 1)
}
