import type { LazyModel } from './lazy-model.ts'

/** The vector of a query; undefined where there is no model. */
export type QueryVector = (query: string) => Promise<Int8Array | undefined>

const mostRemembered = 500

/** People look at several pages of results, and ask what others have asked. */
export function queryVectors(model: LazyModel): QueryVector {
  const remembered = new Map<string, Promise<Int8Array | undefined>>()
  return (query) => {
    const known = remembered.get(query) ?? embed(model, query)
    // The last in the map is the one that was used last.
    remembered.delete(query)
    remembered.set(query, known)
    const [oldest] = remembered.keys()
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
    // One that failed is tried again.
    known.catch(() => remembered.delete(query))
    return known
  }
}

async function embed(model: LazyModel, query: string): Promise<Int8Array | undefined> {
  return (await model.get())?.embed(query)
}
