import { z } from 'zod'
import { defineFormat } from './format.ts'

const price = z.object({
  amount: z.number(),
  currency: z.string().optional().describe('Only if the page states it.'),
  formatted: z.string().optional().describe('Verbatim text of the page.'),
})

const variant = z.object({
  id: z.string().optional(),
  sku: z.string().optional(),
  title: z.string().optional(),
  values: z.record(z.string(), z.unknown()).optional().describe('Variant options such as colour and size.'),
  price: price.optional(),
  sale: z.object({ originalPrice: price }).optional(),
  availability: z.object({ inStock: z.boolean(), text: z.string().optional() }),
  images: z.array(z.object({ url: z.string(), alt: z.string().optional() })).optional(),
})

export const product = defineFormat({
  name: 'product',
  description: 'Product that the page sells, from its structured data.',
  readsFrom: 'page',
  options: {},
  output: {
    product: z
      .object({
        title: z.string(),
        brand: z.string().optional(),
        category: z.string().optional(),
        url: z.string(),
        description: z.string().optional(),
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
