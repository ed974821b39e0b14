import { z } from 'zod'
import { defineFormat } from './format.ts'

const noPage = 'the URL is a file that a browser does not show.'

export const screenshot = defineFormat({
  name: 'screenshot',
  description: 'A screenshot of the page.',
  readsFrom: 'picture',
  toleratesUnknownOptions: true,
  options: {
    fullPage: z.boolean().default(false).describe('Capture the complete page instead of the visible part.'),
    quality: z
      .number()
      .min(1)
      .max(100)
      .optional()
      .describe('Quality of a JPEG; without it, the result is a PNG.'),
    viewport: z
      .strictObject({ width: z.int().min(1).max(7680), height: z.int().min(1).max(4320) })
      .optional()
      .describe('Size of the browser window.'),
  },
  output: { screenshot: z.string().describe('URL of the screenshot; it expires after 24 hours.') },
  captures: (options) => ({ screenshot: options }),
  async render(_, __, { page, isFile, storeFile }) {
    const file = page.captures?.screenshot
    if (!file)
      return { unavailable: `screenshot: ${isFile ? noPage : 'the page was not opened in a browser.'}` }
    return { screenshot: await storeFile(file, 24) }
  },
})
