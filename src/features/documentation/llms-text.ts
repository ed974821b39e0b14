import type { DocPages } from './doc-pages.ts'
import { introOf, type OutlineGroup } from './outline.ts'

/** What language models look for first: each page with its address as Markdown. See https://llmstxt.org. */
export function llmsText(pages: DocPages, outline: readonly OutlineGroup[], base: string): string {
  const [summary = '', ...more] = introOf(pages).split(/\n{2,}/)
  const groups = outline.map(({ title, entries }) => {
    const lines = entries.map(
      ({ page, title: name, about }) =>
        `- [${name}](${base}${page.url}.md)${about === '' ? '' : `: ${about}`}`,
    )
    return `## ${title}\n\n${lines.join('\n')}`
  })
  const reference = `## Reference\n\n- [OpenAPI](${base}/v2/openapi.json): every endpoint, option and answer`
  const quoted = `> ${summary.replaceAll('\n', ' ')}`
  return `${[`# ${pages.home.title}`, quoted, ...more, ...groups, reference].join('\n\n')}\n`
}

/** All pages of the list, one after the other. */
export function llmsFullText(outline: readonly OutlineGroup[], base: string): string {
  const pages = new Set(outline.flatMap(({ entries }) => entries.map(({ page }) => page)))
  const texts = [...pages].map(({ url, markdown }) => `<!-- ${base}${url} -->\n\n${markdown.trim()}`)
  return `${texts.join('\n\n---\n\n')}\n`
}
