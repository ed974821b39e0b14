import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chrome } from './chrome.ts'
import { expectPage, type Traits, traits } from './expect-manual.ts'
import type { Expectation } from './expectation.ts'
import type { ManualPage } from './sources/block.ts'
import { manual } from './sources/manual.ts'
import { strip } from './strip.ts'

/** Imports the rendered pages of the manual and writes their expectations: `node collect-manual.ts FOLDER`. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('Which folder?')

interface RenderedManual {
  generator: string
  /** Output folder of the generator, and prefix of the page names in the corpus. */
  theme: string
  pages?: string[]
  file?: (name: string) => string
}

const inFolders = (name: string) => (name === 'index' ? 'index.html' : `${name}/index.html`)

const rendered: RenderedManual[] = [
  { generator: 'sphinx', theme: 'alabaster', pages: ['index', 'tutorial', 'api', 'glossary', 'concepts'] },
  { generator: 'sphinx', theme: 'furo', pages: ['api', 'configuration', 'faq', 'changelog', 'concepts'] },
  { generator: 'sphinx', theme: 'pydata', pages: ['index', 'cli', 'tutorial', 'troubleshooting', 'api'] },
  { generator: 'sphinx', theme: 'basic', pages: ['cli', 'configuration', 'glossary', 'changelog', 'faq'] },
  { generator: 'readthedocs', theme: 'rtd' },
  { generator: 'mkdocs', theme: 'mkdocs', file: inFolders },
  { generator: 'mkdocs', theme: 'material', file: inFolders },
  { generator: 'docusaurus', theme: 'docusaurus', file: inFolders },
  { generator: 'vitepress', theme: 'vitepress' },
  { generator: 'gitbook', theme: 'honkit' },
  { generator: 'asciidoc', theme: 'asciidoc' },
  {
    generator: 'docbook',
    theme: 'docbook',
    file: (name) => (name === 'index' ? 'welcome.html' : `${name}.html`),
  },
  { generator: 'wordpress', theme: 'twentytwentyone', pages: ['tutorial', 'glossary', 'cli', 'faq'] },
  { generator: 'wordpress', theme: 'twentytwentytwo', pages: ['configuration', 'concepts', 'changelog'] },
  { generator: 'wordpress', theme: 'twentytwentythree', pages: ['index', 'api', 'troubleshooting'] },
]

/**
 * Returns text that must not be in the result. Titles of other pages and headings of this page are links only in
 * navigation.
 */
function unwantedText(page: ManualPage, theme: string): string[] {
  const others = manual.filter(
    ({ name }) => name !== page.name && !(page.name === 'index' && name !== 'index'),
  )
  const headings = page.blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []))
  const links = [...others.map(({ title }) => title), ...new Set(headings)].map((title) => `[${title}](`)
  return [...links, ...(chrome[theme] ?? [])]
}

function traitsOf(generator: string, theme: string): Traits {
  const generatorTraits = traits[theme] ?? traits[generator]
  if (generatorTraits === undefined) throw new Error(`Nothing is known of ${generator}.`)
  return generatorTraits
}

const files = new Map<string, Record<string, Expectation>>()
for (const { generator, theme, pages, file } of rendered) {
  const expectations = files.get(generator) ?? {}
  files.set(generator, expectations)
  for (const [index, page] of manual.entries()) {
    if (pages && !pages.includes(page.name)) continue
    const path = file?.(page.name) ?? `${page.name}.html`
    const name = generator === theme ? page.name : `${theme}-${page.name}`
    const pageFolder = new URL(`pages/${generator}/`, import.meta.url)
    mkdirSync(pageFolder, { recursive: true })
    writeFileSync(new URL(`${name}.html`, pageFolder), strip(readFileSync(join(folder, theme, path), 'utf8')))
    const expected = expectPage(page, index, traitsOf(generator, theme))
    const url = `https://docs.skerry.test/${path.replace(/index\.html$/, '')}`
    expectations[name] = { url, ...expected, not: unwantedText(page, theme) }
  }
}
const lists = { 'twentytwentyone-category': 'category/handbook/', 'twentytwentythree-search': '?s=gauge' }
for (const [name, path] of Object.entries(lists)) {
  const [theme = '', kind = ''] = name.split('-')
  const html = strip(readFileSync(join(folder, theme, `${kind}.html`), 'utf8'))
  writeFileSync(new URL(`pages/wordpress/${name}.html`, import.meta.url), html)
  const listed = manual.filter(({ title }) => html.includes(`>${title}</a>`))
  const expectations = files.get('wordpress') ?? {}
  expectations[name] = {
    url: `https://docs.skerry.test/${path}`,
    lines: [],
    text: listed.map(({ title }) => `[${title}](`),
    words: [kind === 'search' ? 'Search results for' : 'Handbook'],
    inOrder: [],
    not: chrome[theme] ?? [],
  }
}

for (const [generator, expectations] of files) {
  const path = new URL(`expect/${generator}.json`, import.meta.url)
  writeFileSync(path, `${JSON.stringify(expectations, null, 2)}\n`)
}
