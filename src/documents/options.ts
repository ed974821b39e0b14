import { z } from 'zod'
import { boundedList } from '../platform/bounded.ts'
import type { ConvertedPage } from './document.ts'

const pdfParser = z.strictObject({
  type: z.literal('pdf'),
  mode: z
    .enum(['fast', 'auto', 'ocr'])
    .default('auto')
    .describe('fast: only the text layer. auto: OCR for pages without text. ocr: OCR for all pages.'),
  maxPages: z.int().min(1).max(10_000).optional().describe('Convert only the first pages.'),
  pages: z.boolean().default(false).describe('Also return each page separately.'),
  pageMarkdown: z.boolean().optional().describe('Older name of pages.'),
  blocks: z.boolean().default(false).describe('Return the blocks of each page with their positions.'),
  pageMarkers: z.boolean().default(false).describe('Mark the start of each page in the Markdown.'),
})

const imageParser = z.strictObject({ type: z.literal('image') }).meta({ id: 'ImageParser' })

export const parserList = boundedList(
  z.union(
    [
      z.enum(['pdf', 'image']),
      z.discriminatedUnion('type', [pdfParser.meta({ id: 'PdfParser' }), imageParser]),
    ],
    { error: 'A parser is "pdf" or "image", or an object with one of these as its type.' },
  ),
  'MAX_PARSERS',
)

export type Parsers = z.output<typeof parserList> | undefined

export function planParsers(parsers: Parsers) {
  const requested = parsers?.find((parser) => typeof parser === 'object' && parser.type === 'pdf')
  const options = pdfParser.parse(requested ?? { type: 'pdf' })
  return {
    parses: parsers === undefined || parsers.length > 0,
    pdf: { mode: options.mode, maxPages: options.maxPages ?? maxPdfPages, pageMarkers: options.pageMarkers },
    returnsPages: options.pages || options.pageMarkdown === true,
    returnsBlocks: options.blocks,
  }
}

export type ParserPlan = ReturnType<typeof planParsers>

const maxPdfPages = 10_000

const pageBlocks = z.object({
  pageNumber: z.int(),
  width: z.number(),
  height: z.number(),
  status: z.enum(['ok', 'partial', 'failed']),
  items: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      label: z.string(),
      bbox: z.array(z.number()).describe('Left, top, right, bottom, each from 0 to 1.'),
      content: z.string(),
      markdownSpan: z.array(z.int()).describe('Start and end in the Markdown of the page.'),
      readingOrder: z.int(),
      source: z.enum(['text', 'ocr']),
      confidence: z.object({ layout: z.number(), ocr: z.number().optional() }).optional(),
    }),
  ),
})

export const pageOutputs = {
  pages: z
    .array(z.object({ pageNumber: z.int(), markdown: z.string() }).meta({ id: 'PdfPage' }))
    .optional()
    .describe('The pages of a PDF; present if the parser option pages is set.'),
  blocks: z
    .array(pageBlocks.meta({ id: 'PdfPageBlocks' }))
    .optional()
    .describe('The blocks of each page of a PDF; present if the parser option blocks is set.'),
}

type PageFields = { [Name in keyof typeof pageOutputs]?: z.output<(typeof pageOutputs)[Name]> }

export function pageFields(pages: ConvertedPage[], plan: ParserPlan): PageFields {
  return {
    ...(plan.returnsPages && { pages: pages.map(({ pageNumber, markdown }) => ({ pageNumber, markdown })) }),
    ...(plan.returnsBlocks && { blocks: pages.map(toPageBlocks) }),
  }
}

function toPageBlocks({ pageNumber, width, height, blocks }: ConvertedPage) {
  const items = blocks.map(({ type, bbox, content, markdownSpan, source, confidence }, index) => ({
    id: `p${pageNumber}.b${index}`,
    ...{ type, label: type, bbox, content, markdownSpan, readingOrder: index, source },
    ...(confidence !== undefined && { confidence: { layout: 1, ocr: confidence } }),
  }))
  return { pageNumber, width, height, status: 'ok' as const, items }
}
