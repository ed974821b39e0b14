import { z } from 'zod'
import { defineAction } from './action.ts'

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
