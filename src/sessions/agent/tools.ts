import type { ElementHandle, Frame } from 'playwright-core'
import { z } from 'zod'
import { defineTool, RejectedCallError, ref, type ToolContext } from './tool.ts'

export const click = defineTool({
  name: 'click',
  description: 'Clicks an element: a link, a button, a box to tick.',
  fields: {
    ref,
    acceptDialog: z
      .boolean()
      .optional()
      .describe(
        'Accept the question box that this click brings up. Without it, such a question is declined.',
      ),
  },
  describe: (fields) => fields.ref,
  async run(context, fields) {
    context.acceptDialogs(fields.acceptDialog ?? false)
    await context.element(fields.ref).click({ timeout: context.timeoutMs })
    return { outcome: 'Clicked.' }
  },
})

export const fill = defineTool({
  name: 'fill',
  description: 'Types text into a field, in place of what stands there.',
  fields: {
    ref,
    text: z.string().max(20_000),
    submit: z.boolean().optional().describe('Press Enter afterwards.'),
  },
  describe: (fields) =>
    `${fields.ref} with ${JSON.stringify(fields.text)}${fields.submit ? ', submitted' : ''}`,
  async run(context, { ref, text, submit }) {
    const field = context.element(ref)
    const handle = await field.elementHandle({ timeout: context.timeoutMs })
    const isPassword = await handle.evaluate(
      (found) => found instanceof HTMLInputElement && found.type === 'password',
    )
    if (isPassword) context.secrets.add(text)
    if (isPassword || context.secrets.hasSecret(text)) await assertMayType(context, handle, text)
    await field.fill(text, { timeout: context.timeoutMs })
    if (submit) await field.press('Enter', { timeout: context.timeoutMs })
    return { outcome: submit ? 'Typed and submitted.' : 'Typed.' }
  },
})

/** Throws if the field is not on a site of the task, or in a frame of another site. */
async function assertMayType(
  { allowedSites, secretSites, page }: ToolContext,
  handle: ElementHandle,
  text: string,
): Promise<void> {
  let frame: Frame | null = await handle.ownerFrame()
  // A frame without its own URL has the URL of the frame that created it.
  while (frame?.parentFrame() && frame.url().startsWith('about:')) frame = frame.parentFrame()
  const urls = [frame?.url() ?? '', page.url()]
  const refusal = urls.map((url) => secretSites.refusal(text, url)).find((reason) => reason !== undefined)
  if (refusal !== undefined) throw new RejectedCallError(refusal)
  if (urls.every((url) => allowedSites.includes(url))) return
  throw new RejectedCallError(
    'Passwords and personal details are not typed here: this is no site of the task. If the user wants it, they name the site; finish with done and say so.',
  )
}

const keys = [
  ...['Enter', 'Tab', 'Escape', 'Space', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift+Tab', 'Control+A'],
] as const

export const press = defineTool({
  name: 'press',
  description: 'Presses a key, in an element or where the focus is.',
  // Only keys that move or select are allowed: text requires `fill`, which checks its target.
  fields: { key: z.enum(keys), ref: ref.optional() },
  describe: (fields) => (fields.ref === undefined ? fields.key : `${fields.key} in ${fields.ref}`),
  async run(context, { key, ref }) {
    if (ref === undefined) await context.page.keyboard.press(key)
    else await context.element(ref).press(key, { timeout: context.timeoutMs })
    return { outcome: `Pressed ${key}.` }
  },
})

export const select = defineTool({
  name: 'select',
  description: 'Chooses options of a list, by the text they show.',
  fields: { ref, options: z.array(z.string().max(1000)).min(1).max(100) },
  describe: (fields) => `${fields.ref}: ${fields.options.map((option) => JSON.stringify(option)).join(', ')}`,
  async run(context, { ref, options }) {
    await context.element(ref).selectOption(options, { timeout: context.timeoutMs })
    return { outcome: 'Chosen.' }
  },
})

export const navigate = defineTool({
  name: 'navigate',
  description: 'Opens an address of the site of this task, or one that the user named.',
  fields: { url: z.string().min(1).max(4000).describe('Absolute, or relative to the current page.') },
  describe: (fields) => fields.url,
  async run({ page, allowedSites, secretSites, timeoutMs }, { url }) {
    const address = URL.parse(url, page.url())?.href ?? url
    const refusal = allowedSites.refusal(address) ?? secretSites.refusal(address, address)
    if (refusal !== undefined) throw new RejectedCallError(refusal)
    const response = await page.goto(address, { timeout: timeoutMs, waitUntil: 'domcontentloaded' })
    return { outcome: `Opened, with status ${response?.status() ?? 'unknown'}.` }
  },
})

export const back = defineTool({
  name: 'back',
  description: 'Goes back to the page before.',
  fields: {},
  async run({ page, timeoutMs }) {
    const previousUrl = page.url()
    await page.goBack({ timeout: timeoutMs, waitUntil: 'domcontentloaded' })
    if (page.url() === previousUrl) throw new RejectedCallError('There is no page before this one.')
    return { outcome: 'Went back.' }
  },
})

export const scroll = defineTool({
  name: 'scroll',
  description:
    'Scrolls by one screen, or an element into view. The outline holds the whole page: scroll to load more.',
  fields: { direction: z.enum(['up', 'down']).default('down'), ref: ref.optional() },
  describe: (fields) => fields.ref ?? fields.direction,
  async run(context, { direction, ref }) {
    if (ref === undefined)
      await context.page.evaluate((sign) => scrollBy(0, sign * innerHeight), direction === 'up' ? -1 : 1)
    else await context.element(ref).scrollIntoViewIfNeeded({ timeout: context.timeoutMs })
    return { outcome: 'Scrolled.' }
  },
})

export const snapshot = defineTool({
  name: 'snapshot',
  description: 'Looks at the page anew, or at another part of a long one.',
  fields: { part: z.int().min(1).max(100).default(1) },
  describe: (fields) => (fields.part === 1 ? '' : `part ${fields.part}`),
  async run(context, { part }) {
    context.showPart(part)
    return { outcome: 'Looked.' }
  },
})

const maxReadLength = 20_000

export const read = defineTool({
  name: 'read',
  description: 'Reads the whole text of a part of the page, or of the page.',
  fields: { ref: ref.optional() },
  changesPage: false,
  describe: (fields) => fields.ref ?? 'the page',
  async run(context, { ref }) {
    const part = ref === undefined ? context.page.locator('body') : context.element(ref)
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not read
    const text = await part.innerText({ timeout: context.timeoutMs })
    const note =
      text.length > maxReadLength
        ? ` The first ${maxReadLength} of ${text.length} characters; read smaller parts.`
        : ''
    return { outcome: `Read.${note}`, pageText: text.slice(0, maxReadLength) }
  },
})

export const wait = defineTool({
  name: 'wait',
  description: 'Waits until a text shows up on the page, or for some seconds.',
  fields: {
    text: z.string().min(1).max(500).optional(),
    seconds: z.number().min(0).max(10).default(3).describe('The longest to wait.'),
  },
  describe: (fields) => (fields.text === undefined ? `${fields.seconds} s` : JSON.stringify(fields.text)),
  async run({ page, timeoutMs }, { text, seconds }) {
    const maxMs = Math.min(seconds * 1000, timeoutMs)
    if (text === undefined) await page.waitForTimeout(maxMs)
    else await page.getByText(text).first().waitFor({ timeout: maxMs })
    return { outcome: text === undefined ? 'Waited.' : 'The text is there.' }
  },
})

export const done = defineTool({
  name: 'done',
  description: 'Ends the task with the answer for the user.',
  fields: { answer: z.string().min(1).max(100_000) },
  changesPage: false,
  run: async (_, { answer }) => ({ outcome: answer }),
})
