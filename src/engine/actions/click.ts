import { z } from 'zod'
import { defineAction, selector } from './action.ts'

export const click = defineAction({
  type: 'click',
  description: 'Clicks an element, or every element that matches.',
  isRepeated: true,
  fields: { selector, all: z.boolean().default(false) },
  example: { selector: 'button' },
  async run(page, fields, { timeoutMs, whileWaiting }) {
    const found = page.locator(fields.selector)
    // Until there is something to click, nothing is done.
    if (!fields.all) return whileWaiting(() => found.first().click({ timeout: timeoutMs }))
    for (const element of await found.all()) await element.click({ timeout: timeoutMs })
  },
})
