import { z } from 'zod'
import { defineTool } from '../tool.ts'

export const wait = defineTool({
  name: 'wait',
  description: 'Waits until a text shows up on the page, or for some seconds.',
  fields: {
    text: z.string().min(1).max(500).optional(),
    seconds: z.number().min(0).max(10).default(3).describe('The longest to wait.'),
  },
  acts: true,
  describe: (fields) => (fields.text === undefined ? `${fields.seconds} s` : JSON.stringify(fields.text)),
  async run({ page, timeoutMs }, { text, seconds }) {
    const longest = Math.min(seconds * 1000, timeoutMs)
    if (text === undefined) await page.waitForTimeout(longest)
    else await page.getByText(text).first().waitFor({ timeout: longest })
    return { outcome: text === undefined ? 'Waited.' : 'The text is there.' }
  },
})
