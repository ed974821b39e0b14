import TurndownService from 'turndown'
import { gfm } from 'turndown-plugin-gfm'
import type { System } from './system.ts'

const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
service.use(gfm)
service.remove(['head', 'script', 'style', 'noscript', 'template', 'iframe'])

export function toMarkdown(html: string): string {
  return service.turndown(html)
}

/** Converts the complete page, without a search for the main content. */
export const turndown: System = {
  name: 'turndown',
  title: 'turndown, whole page',
  packages: ['turndown', 'turndown-plugin-gfm'],
  extract: ({ html }) => toMarkdown(html),
  convert: ({ html }) => toMarkdown(html),
}
