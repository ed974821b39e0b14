import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { boundedText } from '../../platform/bounded.ts'
import { defineAction, selector } from './action.ts'

export const click = defineAction({
  type: 'click',
  description: 'Clicks an element, or every element that matches.',
  isRepeated: true,
  fields: { selector, all: z.boolean().default(false) },
  example: { selector: 'button' },
  async run(page, fields, { timeoutMs, whileWaiting }) {
    const matches = page.locator(fields.selector)
    if (!fields.all) return whileWaiting(() => matches.first().click({ timeout: timeoutMs }))
    for (const element of await matches.all()) await element.click({ timeout: timeoutMs })
  },
})

export const write = defineAction({
  type: 'write',
  description: 'Types text into the focused element, character by character; click it first.',
  isRepeated: true,
  fields: { text: boundedText('MAX_TEXT_LENGTH') },
  example: { text: 'Harbour' },
  run: (page, { text }) => page.keyboard.type(text),
})

export const press = defineAction({
  type: 'press',
  description: 'Presses a key, such as Enter or Control+A.',
  isRepeated: true,
  fields: { key: boundedText('MAX_KEY_LENGTH').min(1) },
  example: { key: 'Enter' },
  run: (page, { key }) => page.keyboard.press(key),
})

export const scroll = defineAction({
  type: 'scroll',
  description: 'Scrolls the page, or an element, by one screen.',
  isRepeated: true,
  fields: { direction: z.enum(['up', 'down']).default('down'), selector: selector.optional() },
  async run(page, fields, { timeoutMs }) {
    const sign = fields.direction === 'up' ? -1 : 1
    if (fields.selector === undefined)
      return page.evaluate((direction) => scrollBy(0, direction * innerHeight), sign)
    const element = page.locator(fields.selector).first()
    await element.evaluate((found, direction) => found.scrollBy(0, direction * found.clientHeight), sign, {
      timeout: timeoutMs,
    })
  },
})

export const wait = defineAction({
  type: 'wait',
  description: 'Waits for a fixed time, or until an element exists; exactly one of the two.',
  isRepeated: true,
  fields: {
    milliseconds: z.int().min(1).max(60_000).optional(),
    selector: selector.optional(),
  },
  example: { milliseconds: 500 },
  problemOf: ({ milliseconds, selector }) =>
    (milliseconds === undefined) === (selector === undefined)
      ? 'A wait needs exactly one of milliseconds and selector.'
      : undefined,
  // Waiting for an element counts as one second.
  waitingTime: ({ milliseconds }) => milliseconds ?? 1000,
  async run(page, { selector, milliseconds }, { timeoutMs, signal, whileWaiting }) {
    if (selector !== undefined)
      await whileWaiting(() => page.waitForSelector(selector, { timeout: timeoutMs }))
    else await whileWaiting(() => sleep(milliseconds ?? 0, undefined, { signal }))
  },
})
