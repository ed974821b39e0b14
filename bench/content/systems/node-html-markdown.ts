import { NodeHtmlMarkdown } from 'node-html-markdown'
import type { System } from './system.ts'

const writer = new NodeHtmlMarkdown({ ignore: ['noscript', 'template', 'iframe', 'svg'] })

/** Converts the complete page, like turndown. */
export const nodeHtmlMarkdown: System = {
  name: 'node-html-markdown',
  title: 'node-html-markdown, whole page',
  packages: ['node-html-markdown'],
  extract: ({ html }) => writer.translate(html),
  convert: ({ html }) => writer.translate(html),
}
