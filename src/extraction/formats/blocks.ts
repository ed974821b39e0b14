import { z } from 'zod'
import { bounds } from '../../platform/bounds.ts'
import { defineFormat } from './format.ts'

const block = z.object({
  text: z.string().describe('The first 300 characters.'),
  selector: z.string().describe('CSS selector of the element that it stands in.'),
  isKept: z.boolean().describe('Whether it is in the Markdown.'),
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
    .describe('Why it is left out; the same words as in the trace of the job.'),
  probability: z
    .number()
    .optional()
    .describe(
      'From 0 to 1: how likely it is content, by itself. What stands around a block may decide otherwise. Absent where the main content is not looked for, or the page has too little text to judge.',
    ),
})

export const blocks = defineFormat({
  name: 'blocks',
  description:
    'The blocks of text of the page in order, which of them are in the Markdown, and why the others are not.',
  readsFrom: 'page',
  options: {},
  // Not named `blocks`, because that field contains the blocks of a PDF page.
  output: {
    textBlocks: z
      .array(block.meta({ id: 'TextBlock' }))
      .describe('The blocks of text of the page in order, kept or left out.'),
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
