import type { PassageQuery } from '../../passages/find-passages.ts'
import { definePart } from './part.ts'

/** Part with the sentences that may answer each query. */
export const passages = definePart({
  async make({ sentences }, queries: readonly PassageQuery[]) {
    const { passagesFor } = await import('../page-text.ts')
    return passagesFor(await sentences(), queries)
  },
  cost: 'the query',
})

/** Part with a summary of the page. */
export const gist = definePart({
  async make({ content, sentences }) {
    const { summarizePage: gistOf } = await import('../page-text.ts')
    return gistOf(await sentences(), content)
  },
})
