import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../base/once.ts'
import { docsMissing, type FoundDoc, type SearchDocs } from '../../search/docs/search-docs.ts'
import { docLinks } from './doc-links.ts'
import { type DocPage, type DocPages, readPages } from './doc-pages.ts'
import { llmsFullText, llmsText } from './llms-text.ts'
import { type OutlineGroup, readOutline } from './outline.ts'
import { type LinkOf, type RenderedPage, renderPage } from './render-page.ts'

export interface FoundPlace {
  title: string
  /** What stands above the title, the outermost first. */
  headings: readonly string[]
  url: string
  passage: string
}

/** The documentation of the service, as pages to read. */
export interface Documentation {
  /** What an address has, rendered once and kept; undefined where it has nothing. */
  page(url: string): ShownPage | undefined
  markdown(url: string): string | undefined
  picture(name: string): Buffer | undefined
  outline(): readonly OutlineGroup[]
  find(question: string): Promise<FoundPlace[]>
  llms(base: string): string
  llmsFull(base: string): string
}

export interface ShownPage extends RenderedPage, Pick<DocPage, 'title' | 'url' | 'path'> {}

interface Library {
  pages: DocPages
  outline: OutlineGroup[]
  linkOf: LinkOf
  rendered: Map<string, ShownPage>
}

const mostFound = 12

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
      const found = await searchDocs(question, mostFound)
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

function shown({ pages, linkOf, rendered }: Library, url: string): ShownPage | undefined {
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
): FoundPlace {
  const passage = passages[0] ?? text.slice(0, 300)
  return { title, headings, url: linkOf(pathOrUrl) ?? '/docs/reference', passage }
}
