import { z } from 'zod'
import { defineFormat } from './format.ts'

const chunk = z.object({
  text: z.string().describe('Markdown.'),
  headings: z.array(z.string()).describe('Titles of the sections around it, the outermost first.'),
  anchor: z
    .string()
    .optional()
    .describe('Id on the page of the innermost of these headings that has one: <url>#<anchor> leads there.'),
  start: z.int().describe('Place in the Markdown, in UTF-16 code units: markdown.slice(start, end) is text.'),
  end: z.int(),
  tokens: z.int().describe('Tokens of text, by the encoding o200k_base.'),
  overlap: z
    .int()
    .optional()
    .describe(
      'Number of code units at the beginning of text that are the end of the chunk before; absent if none are.',
    ),
  oversize: z
    .literal(true)
    .optional()
    .describe('Larger than size: a table, a code block or a list item is never cut.'),
})

export const chunks = defineFormat({
  name: 'chunks',
  description:
    'The Markdown in pieces for retrieval, cut at headings and never inside a table, code or item.',
  needs: 'page',
  isOfMarkdown: true,
  options: {
    size: z.int().min(64).max(8192).default(512).describe('Most tokens of a chunk.'),
    overlap: z
      .int()
      .min(0)
      .max(4096)
      .default(0)
      .describe(
        'Most tokens that a chunk repeats of the one before it in the same section, in whole blocks or sentences. At most half of size.',
      ),
  },
  check: ({ size, overlap }) =>
    overlap > size / 2 ? { option: 'overlap', problem: 'overlap may be at most half of size.' } : undefined,
  output: {
    chunks: z.array(chunk.meta({ id: 'Chunk' })).describe('The Markdown in order, in pieces for retrieval.'),
  },
  metadata: { tokens: z.int().describe('Tokens of the whole Markdown, by the encoding o200k_base.') },
  reads: (options) => ({ chunks: options }),
  render: (content) => ({ chunks: content.chunks().chunks }),
  describe: (content) => ({ tokens: content.chunks().tokens }),
})
