import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { baseUrl } from '../../src/content/addresses.ts'
import { parseHtml } from '../../src/content/tree/parse.ts'
import { wholePage } from '../markdown/whole-page.ts'

const folder = new URL('./markdown/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith('.html'))

describe('the pages of the corpus', () => {
  it.each(names)('match the Markdown file next to them: %s', (name) => {
    const html = readFileSync(new URL(name, folder), 'utf8')
    const markdown = readFileSync(new URL(name.replace('.html', '.md'), folder), 'utf8')
    const base = baseUrl(parseHtml(html), 'https://x.test/')
    expect(`${wholePage(html, { base })}\n`).toBe(markdown)
  })
})
