import { z } from 'zod'
import { defineFormat } from './format.ts'

export const links = defineFormat({
  name: 'links',
  description: 'Absolute URLs that the page links to, in document order, each once.',
  needs: 'page',
  options: {},
  output: { links: z.array(z.string()).describe('Absolute URLs that the page links to.') },
  reads: () => ({ links: true }),
  render: (content) => ({ links: content.links() }),
})
