import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { System } from './system.ts'
import { toMarkdown } from './turndown.ts'

export const readability: System = {
  name: 'readability',
  title: 'Readability on linkedom, turndown',
  packages: ['@mozilla/readability', 'linkedom', 'turndown'],
  extract({ html }) {
    const { document } = parseHTML(html)
    return toMarkdown(new Readability(document).parse()?.content ?? '')
  },
  convert: ({ html }) => toMarkdown(html),
}
