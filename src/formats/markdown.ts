import { z } from 'zod'
import { defineFormat } from './format.ts'

export const markdown = defineFormat({
  name: 'markdown',
  description: 'The page as Markdown.',
  needs: 'page',
  isOfMarkdown: true,
  options: {},
  output: { markdown: z.string().describe('The page as Markdown.') },
  reads: () => ({ markdown: true }),
  render: (content) => ({ markdown: content.markdown() }),
})
