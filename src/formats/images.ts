import { z } from 'zod'
import { defineFormat } from './format.ts'

export const images = defineFormat({
  name: 'images',
  description: 'Absolute URLs of the images of the page, each once, in the largest available size.',
  needs: 'page',
  options: {},
  output: { images: z.array(z.string()).describe('Absolute URLs of the images.') },
  reads: () => ({ images: true }),
  render: (content) => ({ images: content.images() }),
})
