import { z } from 'zod'
import { defineAction, selector } from './action.ts'

export const scroll = defineAction({
  type: 'scroll',
  description: 'Scrolls the page, or an element, by one screen.',
  isRepeated: true,
  fields: { direction: z.enum(['up', 'down']).default('down'), selector: selector.optional() },
  async run(page, fields, { timeoutMs }) {
    const sign = fields.direction === 'up' ? -1 : 1
    if (fields.selector === undefined) return page.evaluate((way) => scrollBy(0, way * innerHeight), sign)
    const element = page.locator(fields.selector).first()
    await element.evaluate((found, way) => found.scrollBy(0, way * found.clientHeight), sign, {
      timeout: timeoutMs,
    })
  },
})
