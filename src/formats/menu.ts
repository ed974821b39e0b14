import { z } from 'zod'
import { defineFormat } from './format.ts'

const price = z.object({
  amount: z.number(),
  currency: z.string().optional().describe('Only if the page states it.'),
  formatted: z.string().optional().describe('As the page writes it.'),
})

const item = z.object({
  id: z.string().describe('Made of the name, unless the page states one.'),
  name: z.string(),
  description: z.string().optional(),
  images: z.array(z.object({ url: z.string(), alt: z.string().optional() })),
  price: price.optional().describe('The first one, if there are several.'),
  availability: z.object({ inStock: z.boolean(), text: z.string().optional() }),
  dietary: z.array(z.string()).describe('vegan, vegetarian, gluten-free and so on, as the page says.'),
  calories: z.number().optional(),
  optionGroups: z
    .array(z.object({ options: z.array(z.object({ name: z.string().optional(), price })) }))
    .describe('Sizes and portions, if there are several prices.'),
  identifiers: z.object({ merchantItemId: z.string().optional() }),
  url: z.string().optional(),
  sourceUrl: z.string(),
})

export const menu = defineFormat({
  name: 'menu',
  description: 'The menu of a restaurant, from structured data or from names and prices that the page shows.',
  needs: 'page',
  options: {},
  output: {
    menu: z
      .object({
        isMenu: z.boolean(),
        confidence: z.number().describe('From 0 to 1; from 0.5 on the page counts as a menu.'),
        merchant: z.object({
          name: z.string(),
          type: z.string().optional(),
          location: z.record(z.string(), z.string()).optional(),
        }),
        currency: z.string().optional().describe('If all prices that state one have the same.'),
        sections: z.array(
          z.object({
            id: z.string(),
            name: z.string().describe('Empty if the page names none.'),
            description: z.string().optional(),
            items: z.array(item),
          }),
        ),
        sourceUrl: z.string(),
      })
      .meta({ id: 'Menu' })
      .describe('The menu; without sections if the page is none.'),
  },
  reads: () => ({ menu: true }),
  render(content, _, { warn }) {
    const { menu, notes } = content.menu()
    for (const note of notes) warn(`menu: ${note}`)
    return { menu }
  },
})
