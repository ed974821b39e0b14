import { z } from 'zod'
import { checkTotalLength, selectorText } from '../../content/selector-schema.ts'
import { boundedList, boundedText } from '../../platform/bounded.ts'
import { defineFormat } from './format.ts'

export const attributes = defineFormat({
  name: 'attributes',
  description: 'Attribute values by CSS selector.',
  readsFrom: 'page',
  options: {
    selectors: boundedList(
      z.strictObject({
        selector: selectorText.describe('CSS selector of the elements.'),
        attribute: boundedText('MAX_ATTRIBUTE_LENGTH').min(1).describe('Name of the attribute.'),
      }),
      'MAX_SELECTORS',
    )
      .min(1)
      .superRefine(checkTotalLength)
      .describe('Pairs of selector and attribute.'),
  },
  example: { selectors: [{ selector: 'a', attribute: 'href' }] },
  output: {
    attributes: z
      .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
      .describe('The values in document order, unchanged: URLs are not resolved.'),
  },
  reads: ({ selectors }) => ({ attributes: selectors }),
  render(content) {
    const result = content.attributes()
    return 'reason' in result ? { unavailable: `attributes: ${result.reason}` } : { attributes: result.found }
  },
})
