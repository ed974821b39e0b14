import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { escapeAttribute, escapeText } from 'entities'
import { Marked, type Token, type Tokens } from 'marked'
import { inlineText } from '../../extraction/passages/inline-text.ts'
import { lazy } from '../../platform/functions.ts'
import { anchors, tablesOfNames } from '../../search/docs/read-docs.ts'
import { type FoundDoc, type SearchDocs, throwDocsMissing } from '../../search/docs/search-docs.ts'

export interface DocsSearchHit {
  title: string
  headings: readonly string[]
  url: string
  passage: string
}

export type Documentation = ReturnType<typeof documentation>

export interface DocsPageView extends RenderedPage, Pick<DocPage, 'title' | 'url' | 'path'> {}

const maxHits = 12

/** Creates the documentation. Pages are read on the first request, because most processes never receive one. */
export function documentation(root: string, searchDocs: SearchDocs) {
  const loadDocs = lazy(() => loadInstalledDocs(root))
  return {
    page: (url: string) => getPageView(loadDocs(), url),
    markdown: (url: string) => loadDocs().pages.byUrl.get(url)?.markdown,
    picture: (name: string) => readImage(root, name),
    outline: (): readonly OutlineGroup[] => loadDocs().outline,
    async find(question: string): Promise<DocsSearchHit[]> {
      const { linkOf, pages } = loadDocs()
      const found = await searchDocs(question, maxHits)
      return found.map((doc) => toSearchHit(doc, (href) => linkOf(`../${href}`, pages.home)))
    },
    llms: (base: string) => llmsText(loadDocs().pages, loadDocs().outline, base),
    llmsFull: (base: string) => llmsFullText(loadDocs().outline, base),
  }
}

function loadInstalledDocs(root: string) {
  const pages = readInstalledPages(root)
  const rendered = new Map<string, DocsPageView>()
  return { pages, outline: readOutline(pages), linkOf: docLinks(root, pages), rendered }
}

function readInstalledPages(root: string): DocPages {
  try {
    return readDocPages(root)
  } catch (cause) {
    return throwDocsMissing(cause)
  }
}

function readImage(root: string, name: string): Buffer | undefined {
  if (!/^[\w-]+\.png$/.test(name)) return undefined
  try {
    return readFileSync(join(root, 'docs', 'pictures', name))
  } catch {
    return undefined
  }
}

function getPageView(docs: ReturnType<typeof loadInstalledDocs>, url: string): DocsPageView | undefined {
  const { pages, linkOf, rendered } = docs
  const cached = rendered.get(url)
  const page = pages.byUrl.get(url)
  if (cached || !page) return cached
  const { title, path } = page
  const view = { title, url, path, ...renderPage(page, linkOf) }
  rendered.set(url, view)
  return view
}

function toSearchHit(
  { title, headings, pathOrUrl, passages, text }: FoundDoc,
  linkOf: (path: string) => string | undefined,
): DocsSearchHit {
  const passage = passages[0] ?? text.slice(0, 300)
  return { title, headings, url: linkOf(pathOrUrl) ?? '/docs/reference', passage }
}

/** Builds llms.txt: all pages with the URLs of their Markdown. See https://llmstxt.org. */
function llmsText(pages: DocPages, outline: readonly OutlineGroup[], base: string): string {
  const [beforeGroups = ''] = pages.home.markdown.split(/^## /m)
  const intro = beforeGroups.replace(/^# .+$/m, '').trim()
  const [summary = '', ...more] = intro.split(/\n{2,}/)
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

function llmsFullText(outline: readonly OutlineGroup[], base: string): string {
  const pages = new Set(outline.flatMap(({ entries }) => entries.map(({ page }) => page)))
  const texts = [...pages].map(({ url, markdown }) => `<!-- ${base}${url} -->\n\n${markdown.trim()}`)
  return `${texts.join('\n\n---\n\n')}\n`
}

interface DocPage {
  /** Path in the repository: `docs/guides/crawl.md`. */
  path: string
  /** URL on the service: `/docs/guides/crawl`. */
  url: string
  title: string
  markdown: string
}

type DocPages = ReturnType<typeof readDocPages>

const homePath = 'docs/README.md'
const rootFiles = ['README.md', 'SECURITY.md']

export function readDocPages(root: string) {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const docsFiles = names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll(sep, '/')}`)
  const pages = [...rootFiles, ...docsFiles].map((path) => readDocPage(root, path))
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const home = byPath.get(homePath)
  if (!home) throw new Error(`${homePath} is missing.`)
  return { byPath, byUrl: new Map(pages.map((page) => [page.url, page])), home }
}

function readDocPage(root: string, path: string): DocPage {
  const markdown = readFileSync(join(root, path), 'utf8')
  const title = /^#[ \t]+(.+)$/m.exec(markdown)?.[1] ?? path
  return { path, url: toUrl(path), title, markdown }
}

function toUrl(path: string): string {
  if (path === homePath) return '/docs'
  const name = path.replace(/\.md$/, '')
  return name.startsWith('docs/') ? `/${name}` : `/docs/${name.toLowerCase()}`
}

export interface OutlineGroup {
  title: string
  entries: { page: DocPage; title: string; about: string }[]
}

const entryPattern = /^- \[([^\]]+)\]\(([^)#\s]+)\)(?::\s*(.+))?$/

/** Converts the headings and links of the home page to groups. Skips entries that are not pages, such as the reference. */
export function readOutline({ home, byPath }: DocPages): OutlineGroup[] {
  const groups: OutlineGroup[] = []
  for (const line of home.markdown.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) groups.push({ title: heading, entries: [] })
    const [, title, href, about = ''] = entryPattern.exec(line) ?? []
    const page = href === undefined ? undefined : byPath.get(posix.join(posix.dirname(home.path), href))
    if (title !== undefined && page) groups.at(-1)?.entries.push({ page, title, about })
  }
  return groups.filter(({ entries }) => entries.length > 0)
}

const openApiPath = 'docs/openapi.json'

export function docLinks(root: string, pages: DocPages): LinkOf {
  const operations = lazy(() => readOperations(root))
  return (href, page) => {
    if (/^(?:https?:|mailto:)/i.test(href) || href.startsWith('#')) return href
    if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('/')) return undefined
    const [file = '', anchor] = href.split('#', 2)
    const path = posix.join(posix.dirname(page.path), file)
    if (path === openApiPath) return operations().get(`#${anchor}`) ?? '/docs/reference'
    if (/^docs\/pictures\/[\w-]+\.png$/.test(path)) return `/${path}`
    const target = pages.byPath.get(path)
    return target && `${target.url}${anchor === undefined ? '' : `#${anchor}`}`
  }
}

type OpenApiPaths = Record<string, Record<string, { tags: string[]; operationId: string }>>

function readOperations(root: string): Map<string, string> {
  // `npm run generate` writes this file, so its type is known.
  const { paths }: { paths: OpenApiPaths } = JSON.parse(readFileSync(join(root, openApiPath), 'utf8'))
  const referenceUrls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, operationId }]): [string, string] => [
      `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
      `/docs/reference#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`,
    ]),
  )
  return new Map(referenceUrls)
}

interface RenderedPage {
  html: string
  contents: { title: string; anchor: string }[]
}

/** Returns the URL on the service that a link points to; undefined if the service has none. */
type LinkOf = (href: string, page: DocPage) => string | undefined

/** Renders Markdown as HTML. HTML in the Markdown is escaped, and `linkOf` returns the link targets. */
export function renderPage(page: DocPage, linkOf: LinkOf): RenderedPage {
  const contents: RenderedPage['contents'] = []
  const createAnchor = anchors()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const title = inlineText(text)
        const anchor = createAnchor(title)
        if (depth === 2) contents.push({ title, anchor })
        return `<h${depth} id="${escapeAttribute(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = linkOf(href, page)
        if (target === undefined) return `<span class="file" title="In the repository">${text}</span>`
        return `<a href="${escapeAttribute(target)}">${text}</a>`
      },
      image({ href, text }) {
        const source = linkOf(href, page)
        const alternative = escapeAttribute(text)
        if (source === undefined) return alternative
        return `<img src="${escapeAttribute(source)}" alt="${alternative}">`
      },
      // Comments are only for editors of the file.
      html: ({ text }) => escapeText(text.replace(/<!--.*?-->/gs, '')),
      code: codeHtml,
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr${rowId(page, row)}>${cells(row, 'td')}</tr>`).join('\n')
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
  const parts = groupCode(marked.lexer(page.markdown))
  const html = parts.map((part, groupIndex) =>
    part.isChoice ? choiceHtml(part.codes, groupIndex) : marked.parser(part.tokens),
  )
  return { html: html.join(''), contents }
}

/** Returns the id attribute of a table row about a name, so that links can point to the row. */
function rowId({ path }: DocPage, row: Tokens.TableCell[]): string {
  const names = tablesOfNames[path]
  const name = names && inlineText(row[names.nameColumn]?.text ?? '')
  return name ? ` id="${escapeAttribute(name)}"` : ''
}

const languages: Record<string, string> = { sh: 'curl', ts: 'TypeScript', python: 'Python' }

function codeHtml({ text, lang = '' }: Pick<Tokens.Code, 'text' | 'lang'>): string {
  const label = languages[lang] ?? (lang || 'Text')
  const kind = lang === 'json' || lang === 'text' ? ' class="answer"' : ''
  return `<pre${kind} tabindex="0" aria-label="${escapeAttribute(label)}"><code>${escapeText(text)}</code></pre>\n`
}

type Part = { isChoice: true; codes: Tokens.Code[] } | { isChoice: false; tokens: Token[] }

function groupCode(tokens: readonly Token[]): Part[] {
  const parts: Part[] = []
  for (const block of tokens) {
    const last = parts.at(-1)
    if (isExample(block)) {
      if (last?.isChoice && last.codes.every(({ lang }) => lang !== block.lang)) last.codes.push(block)
      else parts.push({ isChoice: true, codes: [block] })
    } else if (last && !last.isChoice) last.tokens.push(block)
    else if (block.type !== 'space') parts.push({ isChoice: false, tokens: [block] })
  }
  return parts
}

const isExample = (block: Token): block is Tokens.Code =>
  block.type === 'code' && languages[block.lang ?? ''] !== undefined

/** Renders a choice of examples with radio buttons. CSS shows the selected example, so no script is needed. */
function choiceHtml(codes: readonly Tokens.Code[], groupIndex: number): string {
  const [first] = codes
  if (codes.length === 1 && first) return codeHtml(first)
  const choices = codes.map(({ lang = '' }, index) => {
    const id = `example-${groupIndex}-${index}`
    const label = languages[lang] ?? lang
    const state = index === 0 ? ' checked' : ''
    return `<input type="radio" name="example-${groupIndex}" id="${id}" data-language="${lang}"${state}><label for="${id}">${label}</label>`
  })
  const legend = '<legend class="hidden">Language of the example</legend>'
  return `<fieldset class="choice">${legend}${choices.join('')}${codes.map(codeHtml).join('')}</fieldset>\n`
}
