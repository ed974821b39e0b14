import { z } from 'zod'
import { defineFormat } from './format.ts'

export const links = defineFormat({
  name: 'links',
  description: 'Absolute addresses the page links to, in its order, each once.',
  needs: 'page',
  options: {},
  output: { links: z.array(z.string()).describe('Absolute addresses the page links to.') },
  reads: () => ({ links: true }),
  render: (content) => ({ links: content.links() }),
})
