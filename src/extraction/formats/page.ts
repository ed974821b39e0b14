import { z } from 'zod'
import { JsonText } from '../../platform/json/json.ts'
import { defineFormat } from './format.ts'

export const markdown = defineFormat({
  name: 'markdown',
  description: 'The page as Markdown.',
  readsFrom: 'page',
  isDerivedFromMarkdown: true,
  options: {},
  output: { markdown: z.string().describe('The page as Markdown.') },
  reads: () => ({ markdown: true }),
  render: (content) => ({ markdown: content.markdown() }),
})

export const html = defineFormat({
  name: 'html',
  description: 'Cleaned HTML: no scripts or styles, absolute URLs.',
  readsFrom: 'page',
  options: {},
  output: { html: z.string().describe('Cleaned HTML.') },
  reads: () => ({ html: true }),
  render: (content) => ({ html: content.html() }),
})

export const rawHtml = defineFormat({
  name: 'rawHtml',
  description: 'The page as received, decoded to text.',
  readsFrom: 'page',
  options: {},
  output: { rawHtml: z.string().describe('The page as received.') },
  reads: () => ({ rawHtml: true }),
  render: (content) => ({ rawHtml: content.rawHtml() }),
})

export const rawBase64 = defineFormat({
  name: 'rawBase64',
  description: 'The body as received, in base64; must be the only format of the request.',
  readsFrom: 'bytes',
  isExclusive: true,
  options: {},
  output: { rawBase64: z.string().describe('The body as received, in base64.') },
  takesFile: () => true,
  render(_, __, { page }) {
    const bytes = page.text === undefined ? page.bytes : Buffer.from(page.text)
    const isShort = bytes.length <= 48 * 1024
    return { rawBase64: isShort ? Buffer.from(bytes).toString('base64') : JsonText.ofBase64(bytes) }
  },
})

export const links = defineFormat({
  name: 'links',
  description: 'Absolute URLs of the links of the page, in document order, without duplicates.',
  readsFrom: 'page',
  options: {},
  output: { links: z.array(z.string()).describe('Absolute URLs that the page links to.') },
  reads: () => ({ links: true }),
  render: (content) => ({ links: content.links() }),
})

export const images = defineFormat({
  name: 'images',
  description: 'Absolute URLs of the images of the page, without duplicates, in the largest available size.',
  readsFrom: 'page',
  options: {},
  output: { images: z.array(z.string()).describe('Absolute URLs of the images.') },
  reads: () => ({ images: true }),
  render: (content) => ({ images: content.images() }),
})
