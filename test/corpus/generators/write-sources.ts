import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asciidoc } from './emit/asciidoc.ts'
import { docbook } from './emit/docbook.ts'
import { docusaurus, honkit, material, mkdocs, vitepress } from './emit/flavours.ts'
import { type Flavour, markdown } from './emit/markdown.ts'
import { rst } from './emit/rst.ts'
import { wordpress } from './emit/wordpress.ts'
import type { ManualPage } from './sources/block.ts'
import { manual } from './sources/manual.ts'

/** Writes the manual in the markup of each generator: `node write-sources.ts FOLDER`. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('Which folder?')
const config = new URL('sources/config/', import.meta.url).pathname

function write(name: string, files: Record<string, string>): void {
  mkdirSync(join(folder ?? '', name), { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder ?? '', name, file), text)
}

const pages = (ending: string, emit: (page: ManualPage) => string) =>
  Object.fromEntries(manual.map((page) => [`${page.name}.${ending}`, emit(page)]))

const asMarkdown = (flavour: Flavour, before = '') => pages('md', (page) => before + markdown(page, flavour))

cpSync(config, folder, { recursive: true })
const toctree = `\n\n.. toctree::\n   :caption: Manual\n   :maxdepth: 1\n\n${manual
  .slice(1)
  .map(({ name }) => `   ${name}`)
  .join('\n')}\n`
const sphinx = pages('rst', (page) => rst(page) + (page.name === 'index' ? toctree : ''))
write('sphinx', sphinx)
write('mkdocs/docs', asMarkdown(mkdocs))
write('material/docs', asMarkdown(material))
write('vitepress/docs', asMarkdown(vitepress))
const summary = `# Summary\n\n* [Skerry](README.md)\n${manual
  .slice(1)
  .map(({ name, title }) => `* [${title}](${name}.md)`)
  .join('\n')}\n`
const books = asMarkdown(honkit)
write('honkit', { ...books, 'README.md': books['index.md'] ?? '', 'SUMMARY.md': summary })
const imports = "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n"
write('docusaurus/docs', asMarkdown(docusaurus, imports))
write('asciidoc', pages('adoc', asciidoc))
write('docbook', { 'book.xml': docbook(manual) })
write('wordpress', {
  'pages.json': JSON.stringify(
    manual.map((page) => ({ ...page, blocks: undefined, content: wordpress(page) })),
  ),
})
