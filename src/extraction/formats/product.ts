import { z } from 'zod'
import { defineFormat } from './format.ts'

const text = z.string().optional()
const price = z.object({
  amount: z.number(),
  currency: text.describe('Only if the page states it.'),
  formatted: text.describe('Verbatim text of the page.'),
})

const variant = z.object({
  ...{ id: text, sku: text, title: text },
  values: z.record(z.string(), z.unknown()).optional().describe('Variant options such as colour and size.'),
  price: price.optional(),
  sale: z.object({ originalPrice: price }).optional(),
  availability: z.object({ inStock: z.boolean(), text }),
  images: z.array(z.object({ url: z.string(), alt: text })).optional(),
})

export const product = defineFormat({
  name: 'product',
  description: 'Product that the page sells, from its structured data.',
  readsFrom: 'page',
  options: {},
  output: {
    product: z
      .object({
        ...{ title: z.string(), brand: text, category: text, url: z.string(), description: text },
        variants: z.array(variant).min(1),
      })
      .meta({ id: 'Product' })
      .describe('The product and its variants; at least one.'),
  },
  reads: () => ({ product: true }),
  render(content) {
    const result = content.product()
    return result.ok ? { product: result.product } : { unavailable: `product: ${result.reason}.` }
  },
})
