import { defineTool, Refusal } from '../tool.ts'

export const back = defineTool({
  name: 'back',
  description: 'Goes back to the page before.',
  fields: {},
  acts: true,
  async run({ page, timeoutMs }) {
    const before = page.url()
    await page.goBack({ timeout: timeoutMs, waitUntil: 'domcontentloaded' })
    if (page.url() === before) throw new Refusal('There is no page before this one.')
    return { outcome: 'Went back.' }
  },
})
