import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { baseUrl } from '../addresses.ts'
import { parseHtml } from '../tree/parse.ts'
import { wholePage } from './whole-page.ts'

const folder = new URL('../corpus/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith('.html'))

describe('the pages of the corpus', () => {
  it.each(names)('are written as the Markdown beside them: %s', (name) => {
    const html = readFileSync(new URL(name, folder), 'utf8')
    const markdown = readFileSync(new URL(name.replace('.html', '.md'), folder), 'utf8')
    const base = baseUrl(parseHtml(html), 'https://x.test/')
    expect(`${wholePage(html, { base })}\n`).toBe(markdown)
  })
})
