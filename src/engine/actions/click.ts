import { z } from 'zod'
import { defineAction, selector } from './action.ts'

export const click = defineAction({
  type: 'click',
  description: 'Clicks an element, or every element that matches.',
  fields: { selector, all: z.boolean().default(false) },
  async run(page, fields, { timeoutMs }) {
    const found = page.locator(fields.selector)
    if (!fields.all) return found.first().click({ timeout: timeoutMs })
    for (const element of await found.all()) await element.click({ timeout: timeoutMs })
  },
})
