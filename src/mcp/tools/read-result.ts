import { z } from 'zod'
import { text, whole } from '../../base/bounded.ts'
import { AppError } from '../../base/errors.ts'
import { getParse } from '../../http/endpoints/parse.ts'
import { getScrape } from '../../http/endpoints/scrape.ts'
import { asRecord, showDocument } from '../document-text.ts'
import { defineTool, maxCharacters, readsOnly, type ToolCall } from '../tool.ts'

export const readResult = defineTool({
  name: 'read_result',
  title: 'Read on in a result',
  description:
    'Reads a page again that scrape, parse, search, crawl or batch_scrape has brought, without fetching it again: a later part of a long text, or another field of it.',
  hints: readsOnly,
  input: z.strictObject({
    scrapeId: text('MAX_ID_LENGTH').describe('The scrapeId that stands with the page.'),
    field: text('MAX_LABEL_LENGTH').default('markdown').describe('Which field of the result.'),
    offset: whole('MAX_MCP_OFFSET', 0).default(0).describe('The first character.'),
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { scrapeId, field, offset, maxCharacters: most } = input
    const document = await storedDocument(call, scrapeId)
    return showDocument(document, { most, fence, from: { field, offset } }).then(({ text }) => ({ text }))
  },
})

/** What a scrape or a parse brought, by its id. */
export async function storedDocument(call: ToolCall<unknown>['call'], id: string): Promise<unknown> {
  const params = { id }
  const answer = await call(getScrape, { params }).catch((thrown) => {
    if (thrown instanceof AppError && thrown.code === 'JOB_NOT_FOUND' && thrown.detail.reason === undefined)
      return call(getParse, { params })
    throw thrown
  })
  return asRecord(answer).data
}
