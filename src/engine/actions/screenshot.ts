import { z } from 'zod'
import { takeScreenshot } from '../../browser/take-screenshot.ts'
import { defineAction } from './action.ts'

export const screenshot = defineAction({
  type: 'screenshot',
  description: 'Takes a screenshot of the current page.',
  isRepeated: false,
  toleratesFields: true,
  fields: {
    fullPage: z.boolean().default(false),
    quality: z.number().min(1).max(100).optional(),
    viewport: z
      .strictObject({ width: z.int().min(1).max(7680), height: z.int().min(1).max(4320) })
      .optional(),
  },
  async run(page, fields, { results, warnings, timeoutMs }) {
    const { file, warning } = await takeScreenshot(page, fields, timeoutMs)
    results.screenshots.push(file)
    if (warning !== undefined) warnings.push(warning)
  },
})
