import { z } from 'zod'
import { defineFormat } from './format.ts'

export const html = defineFormat({
  name: 'html',
  description: 'Cleaned HTML: no scripts or styles, absolute URLs.',
  needs: 'page',
  options: {},
  output: { html: z.string().describe('Cleaned HTML.') },
  reads: () => ({ html: true }),
  render: (content) => ({ html: content.html() }),
})
