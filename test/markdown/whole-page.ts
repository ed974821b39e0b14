import { toMarkdown } from '../../src/content/markdown/to-markdown.ts'
import { parseHtml } from '../../src/content/tree/parse.ts'
import { none, root } from '../../src/content/tree/tree.ts'

/** Converts a complete page to Markdown, for the tests of the Markdown writer. */
export function wholePage(
  html: string,
  { base = 'https://x.test/', removeBase64Images = true } = {},
): string {
  const tree = parseHtml(html)
  const skipped = new Uint8Array(tree.count)
  return toMarkdown(
    { tree, kept: [root], skipped, title: none, readsNoscript: false, base },
    { removeBase64Images },
  )
}
