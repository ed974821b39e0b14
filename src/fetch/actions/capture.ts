import { z } from 'zod'
import { serialise } from '../../browser/serialise.ts'
import { takeScreenshot } from '../../browser/take-screenshot.ts'
import { iframeMarkerHtml } from '../../content/iframe-marker.ts'
import { defineAction } from './action.ts'

export const screenshot = defineAction({
  type: 'screenshot',
  description: 'Takes a screenshot of the current page.',
  isRepeated: false,
  toleratesUnknownFields: true,
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

const formats = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const

export const pdf = defineAction({
  type: 'pdf',
  description: 'Prints the page to a PDF file.',
  aliases: ['generatePDF'],
  isRepeated: false,
  fields: {
    format: z.enum(formats).default('Letter'),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1),
  },
  async run(page, fields, { results }) {
    results.pdfs.push({ bytes: await page.pdf(fields), mediaType: 'application/pdf' })
  },
})

export const scrape = defineAction({
  type: 'scrape',
  description: 'Returns the current URL and HTML of the page.',
  isRepeated: false,
  fields: {},
  async run(page, _, { results }) {
    results.scrapes.push({ url: page.url(), html: (await serialise(page)).replaceAll(iframeMarkerHtml, '') })
  },
})
