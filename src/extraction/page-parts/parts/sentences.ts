import type { PassageQuery } from '../../passages/find-passages.ts'
import { definePart } from './part.ts'

/** The sentences that may answer each query. */
export const passages = definePart({
  async make({ sentences }, wishes: readonly PassageQuery[]) {
    const { passagesFor } = await import('../page-text.ts')
    return passagesFor(await sentences(), wishes)
  },
  cost: 'the query',
})

/** The page in a few sentences. */
export const gist = definePart({
  async make({ content, sentences }) {
    const { summarizePage: gistOf } = await import('../page-text.ts')
    return gistOf(await sentences(), content)
  },
})
