import { z } from 'zod'
import { invalidSelector } from '../content/select.ts'
import { defineFormat } from './format.ts'

export const attributes = defineFormat({
  name: 'attributes',
  description: 'Values of attributes, by CSS selector.',
  options: {
    selectors: z
      .array(
        z.strictObject({
          selector: z.string().superRefine(mustBeSelector).describe('CSS selector of the elements.'),
          attribute: z.string().min(1).describe('Name of the attribute.'),
        }),
      )
      .min(1)
      .max(100)
      .describe('Which attributes of which elements.'),
  },
  output: {
    attributes: z
      .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
      .describe(
        'The values in the order of the whole page, as they stand there: addresses are not made absolute.',
      ),
  },
  reads: ({ selectors }) => ({ attributes: selectors }),
  render(content) {
    const found = content.attributes()
    return 'reason' in found ? { unavailable: `attributes: ${found.reason}` } : { attributes: found.found }
  },
})

function mustBeSelector(selector: string, context: z.RefinementCtx): void {
  if (invalidSelector([selector]) === undefined) return
  context.addIssue({ code: 'custom', message: `"${selector}" is not a CSS selector` })
}
