import { z } from 'zod'
import { defineTool, Refusal } from '../tool.ts'

export const navigate = defineTool({
  name: 'navigate',
  description: 'Opens an address of the site of this task, or one that the user named.',
  fields: { url: z.string().min(1).max(4000).describe('Absolute, or relative to the current page.') },
  acts: true,
  describe: (fields) => fields.url,
  async run({ page, allowedSites, secretSites, timeoutMs }, { url }) {
    const address = URL.parse(url, page.url())?.href ?? url
    const refusal = allowedSites.refusal(address) ?? secretSites.refusal(address, address)
    if (refusal !== undefined) throw new Refusal(refusal)
    const answer = await page.goto(address, { timeout: timeoutMs, waitUntil: 'domcontentloaded' })
    return { outcome: `Opened, with status ${answer?.status() ?? 'unknown'}.` }
  },
})
