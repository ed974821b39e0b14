import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { escapeAttribute, escapeText } from 'entities'
import { Marked, type Token, type Tokens } from 'marked'
import { inlineText } from '../../extraction/passages/inline-text.ts'
import { once } from '../../platform/functions.ts'
import { anchors, tablesOfNames } from '../../search/docs/read-docs.ts'
import { docsMissing, type FoundDoc, type SearchDocs } from '../../search/docs/search-docs.ts'
import {
  type DocPage,
  type DocPages,
  introOf,
  type OutlineGroup,
  readOutline,
  readPages,
} from './doc-pages.ts'

export interface DocsSearchHit {
  title: string
  /** What stands above the title, the outermost first. */
  headings: readonly string[]
  url: string
  passage: string
}

/** The documentation of the service, as pages to read. */
export interface Documentation {
  /** What an address has, rendered once and kept; undefined where it has nothing. */
  page(url: string): DocsPageView | undefined
  markdown(url: string): string | undefined
  picture(name: string): Buffer | undefined
  outline(): readonly OutlineGroup[]
  find(question: string): Promise<DocsSearchHit[]>
  llms(base: string): string
  llmsFull(base: string): string
}

export interface DocsPageView extends RenderedPage, Pick<DocPage, 'title' | 'url' | 'path'> {}

interface Library {
  pages: DocPages
  outline: OutlineGroup[]
  linkOf: LinkOf
  rendered: Map<string, DocsPageView>
}

const maxFound = 12

/** The pages are read with the first visit: most processes never have one. */
export function documentation(root: string, searchDocs: SearchDocs): Documentation {
  const library = once((): Library => {
    const pages = readInstalled(root)
    return { pages, outline: readOutline(pages), linkOf: docLinks(root, pages), rendered: new Map() }
  })
  return {
    page: (url) => shown(library(), url),
    markdown: (url) => library().pages.byUrl.get(url)?.markdown,
    picture: (name) => readPicture(root, name),
    outline: () => library().outline,
    async find(question) {
      const { linkOf, pages } = library()
      const found = await searchDocs(question, maxFound)
      return found.map((doc) => placeOf(doc, (href) => linkOf(`../${href}`, pages.home)))
    },
    llms: (base) => llmsText(library().pages, library().outline, base),
    llmsFull: (base) => llmsFullText(library().outline, base),
  }
}

function readInstalled(root: string): DocPages {
  try {
    return readPages(root)
  } catch (cause) {
    return docsMissing(cause)
  }
}

function readPicture(root: string, name: string): Buffer | undefined {
  if (!/^[\w-]+\.png$/.test(name)) return undefined
  try {
    return readFileSync(join(root, 'docs', 'pictures', name))
  } catch {
    return undefined
  }
}

function shown({ pages, linkOf, rendered }: Library, url: string): DocsPageView | undefined {
  const kept = rendered.get(url)
  const page = pages.byUrl.get(url)
  if (kept || !page) return kept
  const { title, path } = page
  const made = { title, url, path, ...renderPage(page, linkOf) }
  rendered.set(url, made)
  return made
}

function placeOf(
  { title, headings, pathOrUrl, passages, text }: FoundDoc,
  linkOf: (path: string) => string | undefined,
): DocsSearchHit {
  const passage = passages[0] ?? text.slice(0, 300)
  return { title, headings, url: linkOf(pathOrUrl) ?? '/docs/reference', passage }
}

/** What language models look for first: each page with its address as Markdown. See https://llmstxt.org. */
function llmsText(pages: DocPages, outline: readonly OutlineGroup[], base: string): string {
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
function llmsFullText(outline: readonly OutlineGroup[], base: string): string {
  const pages = new Set(outline.flatMap(({ entries }) => entries.map(({ page }) => page)))
  const texts = [...pages].map(({ url, markdown }) => `<!-- ${base}${url} -->\n\n${markdown.trim()}`)
  return `${texts.join('\n\n---\n\n')}\n`
}

const description = 'docs/openapi.json'

/** Links between files of the repository → links on the service. */
export function docLinks(root: string, pages: DocPages): LinkOf {
  const operations = once(() => readOperations(root))
  return (href, page) => {
    if (/^(?:https?:|mailto:)/i.test(href) || href.startsWith('#')) return href
    if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('/')) return undefined
    const [file = '', place] = href.split('#', 2)
    const path = posix.join(posix.dirname(page.path), file)
    if (path === description) return operations().get(`#${place}`) ?? '/docs/reference'
    if (/^docs\/pictures\/[\w-]+\.png$/.test(path)) return `/${path}`
    const target = pages.byPath.get(path)
    return target && `${target.url}${place === undefined ? '' : `#${place}`}`
  }
}

interface Described {
  paths: Record<string, Record<string, { tags: string[]; operationId: string }>>
}

/** Where the reference shows an operation, by its pointer in the description. */
function readOperations(root: string): Map<string, string> {
  // A file of our own, written by `generate`.
  const { paths } = JSON.parse(readFileSync(join(root, description), 'utf8')) as Described
  const places = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, operationId }]): [string, string] => [
      `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
      `/docs/reference#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`,
    ]),
  )
  return new Map(places)
}

interface RenderedPage {
  html: string
  /** Its headings of the second level. */
  contents: { title: string; anchor: string }[]
}

/** Where a link of a page leads on the service; undefined: nowhere there. */
type LinkOf = (href: string, page: DocPage) => string | undefined

/** Markdown → HTML. Nothing of it is passed through: markup in it is shown as text, and links lead where `linkOf` says. */
export function renderPage(page: DocPage, linkOf: LinkOf): RenderedPage {
  const contents: RenderedPage['contents'] = []
  const anchorOf = anchors()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const title = inlineText(text)
        const anchor = anchorOf(title)
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
        return source === undefined
          ? alternative
          : `<img src="${escapeAttribute(source)}" alt="${alternative}">`
      },
      // Comments are for those who edit the file.
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
  const html = parts.map((part, at) =>
    part.isChoice ? choiceHtml(part.codes, at) : marked.parser(part.tokens),
  )
  return { html: html.join(''), contents }
}

/** A row about one name is where links to that name lead. */
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

/** The same example in several languages, one below the other, is one choice. */
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

/** Works without a script: what is chosen is shown by the style. */
function choiceHtml(codes: readonly Tokens.Code[], at: number): string {
  const [first] = codes
  if (codes.length === 1 && first) return codeHtml(first)
  const choices = codes.map(({ lang = '' }, index) => {
    const id = `example-${at}-${index}`
    const label = languages[lang] ?? lang
    const state = index === 0 ? ' checked' : ''
    return `<input type="radio" name="example-${at}" id="${id}" data-language="${lang}"${state}><label for="${id}">${label}</label>`
  })
  const legend = '<legend class="hidden">Language of the example</legend>'
  return `<fieldset class="choice">${legend}${choices.join('')}${codes.map(codeHtml).join('')}</fieldset>\n`
}
