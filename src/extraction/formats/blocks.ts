import { z } from 'zod'
import { bounds } from '../../platform/bounds.ts'
import { defineFormat } from './format.ts'

const block = z.object({
  text: z.string().describe('The first 300 characters.'),
  selector: z.string().describe('CSS selector of the parent element.'),
  isKept: z.boolean().describe('True if the block is in the Markdown.'),
  reason: z
    .enum([
      'hidden on the page',
      'advertisement or dialog',
      'excludeTags',
      'outside includeTags',
      'not main content',
      'onlyCleanContent',
    ])
    .optional()
    .describe('Reason for the omission; the same text as in the trace of the job.'),
  probability: z
    .number()
    .optional()
    .describe(
      'Probability from 0 to 1 that the block is content, judged separately. Neighbouring blocks may change the decision. Absent if main content detection is off, or the page has too little text.',
    ),
})

export const blocks = defineFormat({
  name: 'blocks',
  description:
    'Text blocks of the page in order, with the blocks in the Markdown and the reasons for omitted ones.',
  readsFrom: 'page',
  options: {},
  // Not named `blocks`, because that field contains the blocks of a PDF page.
  output: {
    textBlocks: z
      .array(block.meta({ id: 'TextBlock' }))
      .describe('Text blocks of the page in order, kept or omitted.'),
  },
  reads: () => ({ blocks: true }),
  render(content, _, { isFile, warn }) {
    if (isFile) return { unavailable: 'blocks: the URL is a file; only blocks of pages are judged.' }
    const { blocks, count } = content.blocks()
    if (count === undefined) return { unavailable: 'blocks: the page is not HTML, so all of it is kept.' }
    const { most } = bounds.MAX_BLOCKS
    if (count > most) warn(`blocks: the page has ${count} blocks; the first ${most} are shown (MAX_BLOCKS).`)
    return { textBlocks: blocks }
  },
})
