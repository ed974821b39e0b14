import { z } from 'zod'
import { defineFormat } from './format.ts'

export const rawHtml = defineFormat({
  name: 'rawHtml',
  description: 'The page as received, decoded to text.',
  needs: 'page',
  options: {},
  output: { rawHtml: z.string().describe('The page as received.') },
  reads: () => ({ rawHtml: true }),
  render: (content) => ({ rawHtml: content.rawHtml() }),
})
