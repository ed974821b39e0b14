import { definePart } from './part.ts'

export const passages = definePart({
  async make({ sentences }, queries: readonly { query: string }[]) {
    const { passagesFor } = await import('../page-text.ts')
    return passagesFor(await sentences(), queries)
  },
  cost: 'the query',
})

export const gist = definePart({
  async make({ content, sentences }) {
    const { summarizePage } = await import('../page-text.ts')
    return summarizePage(await sentences(), content)
  },
})
