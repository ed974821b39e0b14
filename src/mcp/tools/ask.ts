import { z } from 'zod'
import { supportQuestion } from '../../features/support/schema.ts'
import { postSupportAsk } from '../../http/endpoints/support.ts'
import { given } from '../page-options.ts'
import { defineTool, maxCharacters, readsWeb } from '../tool.ts'
import { showValues } from '../values-text.ts'

const { question, rationale, jobId } = supportQuestion.shape

export const ask = defineTool({
  name: 'ask',
  title: 'Ask why a call went wrong',
  description:
    'Asks the service about itself: why a scrape, crawl or extract did not bring what was expected, or how an option works. Give the id of the job. A remedy is tried before it is given; fixParameters are options for the next call.',
  hints: readsWeb,
  input: z.strictObject({ question, jobId, rationale, maxCharacters }),
  async run({ input, call, fence }) {
    const { maxCharacters: most, ...body } = input
    return showValues(await call(postSupportAsk, { body: given(body) }), { most, fence })
  },
})
