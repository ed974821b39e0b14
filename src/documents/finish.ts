import type { ConvertedDocument } from './document.ts'
import { markdownHtml } from './markdown-html.ts'

/** Markdown → a whole document: the same as HTML, and what it links to and shows. */
export function finish(
  markdown: string,
  facts: Partial<Pick<ConvertedDocument, 'metadata' | 'paged' | 'warnings'>> = {},
): ConvertedDocument {
  const text = tidy(markdown)
  const { html, links, images, heading } = markdownHtml(text)
  const title = facts.metadata?.title ?? heading
  return {
    markdown: text,
    html,
    metadata: { ...facts.metadata, ...(title ? { title } : {}) },
    links,
    images,
    warnings: facts.warnings ?? [],
    ...(facts.paged ? { paged: facts.paged } : {}),
  }
}

/** Removes what is useless in Markdown: control characters, trailing spaces, repeated empty lines. */
function tidy(markdown: string): string {
  // A pattern that may start anywhere in a run of spaces would take quadratic time on a long one.
  const text = markdown
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replace(/[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/(?<![^\S\n])[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return text === '' ? '' : `${text}\n`
}
