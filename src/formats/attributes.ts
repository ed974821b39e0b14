import { z } from 'zod'
import { list, text } from '../base/bounded.ts'
import { select } from '../content/select.ts'
import { checkTogetherLength, selectorText } from '../content/selector-schema.ts'
import { attributeNamed, type Tree } from '../content/tree/tree.ts'
import { defineFormat } from './format.ts'

/** The same large attribute may be asked for by many selectors; an answer stays within a few pages' size. */
const maxCharacters = 20_000_000

export const attributes = defineFormat({
  name: 'attributes',
  description: 'Values of attributes, by CSS selector.',
  options: {
    selectors: list(
      z.strictObject({
        selector: selectorText.describe('CSS selector of the elements.'),
        attribute: text('MAX_ATTRIBUTE_LENGTH').min(1).describe('Name of the attribute.'),
      }),
      'MAX_SELECTORS',
    )
      .min(1)
      .superRefine(checkTogetherLength)
      .describe('Which attributes of which elements.'),
  },
  output: {
    attributes: z
      .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
      .describe(
        'The values in the order of the whole page, as they stand there: addresses are not made absolute.',
      ),
  },
  reads: ['tree'],
  render(content, { selectors }) {
    const found: { selector: string; attribute: string; values: string[] }[] = []
    let room = maxCharacters
    for (const { selector, attribute } of selectors) {
      const values = valuesOf(content.tree(), selector, attribute)
      if (!values) return { unavailable: `attributes: "${selector}" takes too long on a page of this size.` }
      for (const value of values) room -= value.length
      if (room < 0) return { unavailable: 'attributes: the values are too long to be sent together.' }
      found.push({ selector, attribute, values })
    }
    return { attributes: found }
  },
})

/** Nothing when the search would take too long. */
function valuesOf(tree: Tree, selector: string, attribute: string): string[] | undefined {
  const found = select(tree, selector)
  if (!found.ok) return undefined
  // Names in HTML have no case.
  const name = attribute.toLowerCase()
  return found.nodes.flatMap((node) => attributeNamed(tree, node, name) ?? [])
}
