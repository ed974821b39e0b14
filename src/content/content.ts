import { type ChildNode, Document } from 'domhandler'
import { escapeText } from 'entities'
import { cleanTree, writeHtml } from './clean-html.ts'
import { kindOf, type PageKind } from './content-type.ts'
import { decodeText } from './decode.ts'
import { baseUrl, following, type Parts, parseHtml, select } from './dom.ts'
import { pageImages } from './images.ts'
import { pageLinks } from './links.ts'
import { mainContent } from './main-content.ts'
import { fenced } from './markdown/code.ts'
import { toMarkdown } from './markdown/to-markdown.ts'
import { type PageMetadata, pageMetadata } from './metadata.ts'
import type { Tree } from './open-elements.ts'
import type { Page } from './page.ts'

export interface ContentOptions {
  onlyMainContent: boolean
  includeTags: string[]
  excludeTags: string[]
  removeBase64Images: boolean
}

/** A lazy view of a page: nothing is decoded or parsed before it is asked for, and nothing twice. */
export interface Content {
  rawHtml(): string
  html(): string
  markdown(): string
  links(): string[]
  images(): string[]
  metadata(): PageMetadata
  /** The tree as it was parsed, whole and uncleaned, to be read only; empty for what is not HTML. */
  root(): Document
  /** The address that relative addresses on the page start from. */
  base(): string
  /**
   * What a reader of the result should know about the parts read so far: limits met, selectors without
   * effect.
   */
  warnings(): string[]
}

/** Throws for a page that is not textual: ask `isTextual` first. */
export function readPage(page: Page, options: ContentOptions): Content {
  const kind = kindOf(page)
  const rawHtml = once(() => page.text ?? decodeText(page.bytes, page.headers['content-type']).text)
  if (kind.name === 'binary') throw new Error('readPage was given a page that is not text')
  if (kind.name !== 'html') return textContent(page, kind, rawHtml)
  const tree = once(() => parseHtml(rawHtml(), { isXhtml: kind.isXhtml }))
  return htmlContent(page, { rawHtml, tree }, options)
}

interface Source {
  rawHtml: () => string
  tree: () => Tree
}

function htmlContent(page: Page, source: Source, options: ContentOptions): Content {
  const warnings = new Set<string>()
  const root = once(() => {
    const tree = source.tree()
    if (tree.isFlattened) warnings.add('The page nests its elements too deeply; the deepest were moved up.')
    if (tree.isCut) warnings.add('The page has too many elements; the last part of it was left out.')
    return tree.root
  })
  const base = once(() => baseUrl(root(), page.url))
  const clean = once(() => cleanTree(wantedParts(root(), options, warnings), base()))
  return {
    rawHtml: source.rawHtml,
    html: once(() => writeHtml(clean())),
    markdown: once(() => toMarkdown(clean(), options)),
    links: once(() => pageLinks(root(), base(), page.url)),
    images: once(() => pageImages(root(), base())),
    metadata: once(() => {
      const { metadata, isCut } = pageMetadata(root(), base())
      if (isCut) warnings.add('The page has too much metadata; a part of it was left out.')
      return metadata
    }),
    root,
    base,
    warnings: () => [...warnings],
  }
}

/**
 * What the caller asked to see. Tags named by the caller are taken as they are, without a search for the main
 * part.
 */
function wantedParts(root: Document, options: ContentOptions, warnings: Set<string>): Parts {
  const excluded = new Set<ChildNode>(selected(root, 'excludeTags', options.excludeTags, warnings))
  if (options.includeTags.length > 0) {
    const included = selected(root, 'includeTags', options.includeTags, warnings)
    if (included.size === 0) warnings.add('No element of the page matches includeTags.')
    return { kept: outermost(root, included), dropped: excluded }
  }
  if (!options.onlyMainContent) return { kept: root.children, dropped: excluded }
  const main = mainContent(root)
  return { kept: main.kept, dropped: new Set([...main.dropped, ...excluded]) }
}

function selected(
  root: Document,
  option: string,
  selectors: string[],
  warnings: Set<string>,
): Set<ChildNode> {
  const elements = new Set<ChildNode>()
  for (const selector of selectors) {
    const found = select(root, selector)
    if (found.ok) for (const element of found.elements) elements.add(element)
    else warnings.add(`${option}: "${selector}" ${failures[found.reason]} and was ignored.`)
  }
  return elements
}

const failures = {
  invalid: 'is not a valid CSS selector',
  costly: 'takes too long on a page of this size',
}

/** In document order, without those inside another. */
function outermost(root: Document, elements: ReadonlySet<ChildNode>): ChildNode[] {
  const found: ChildNode[] = []
  let node: ChildNode | undefined = root
  while (node) {
    const isFound = elements.has(node)
    if (isFound) found.push(node)
    node = following(node, root, { skipsChildren: isFound })
  }
  return found
}

function textContent(page: Page, kind: PageKind, rawHtml: () => string): Content {
  const language = kind.name === 'source' ? kind.language : undefined
  return {
    rawHtml,
    html: once(() => `<pre>${escapeText(rawHtml())}</pre>`),
    markdown: once(() =>
      language === undefined ? rawHtml() : fenced(rawHtml().replace(/\n+$/, ''), language),
    ),
    links: () => [],
    images: () => [],
    metadata: () => ({}),
    root: once(() => new Document([])),
    base: () => page.url,
    warnings: () => [],
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
