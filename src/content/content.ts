import { escapeText } from 'entities'
import { lazy } from '../platform/functions.ts'
import { absoluteUrl, baseUrl } from './addresses.ts'
import { findBlockedParts } from './blocked-parts.ts'
import { splitIntoPieces, writeHtml } from './clean-html.ts'
import { getPageKind, type PageKind } from './content-type.ts'
import { decodeText } from './encoding/decode.ts'
import { iframeContent, iframeMarkerHtml } from './iframe-marker.ts'
import { imageSource, largestCandidate } from './image-source.ts'
import { pageLinks } from './links.ts'
import { fenced } from './markdown/code.ts'
import { toMarkdown } from './markdown/to-markdown.ts'
import { type PageMetadata, pageMetadata } from './metadata.ts'
import type { Page } from './page.ts'
import { type Excerpt, type PartOptions, selectContent } from './select-content.ts'
import { measureTextCoverage, type TextBlocks, type TextCoverage, textBlocks } from './text-coverage.ts'
import { attr, tag, tagSet } from './tree/names.ts'
import { parseHtml } from './tree/parse.ts'
import { attribute, endOf, hasAttribute, type Node, none, parentOf, type Tree, tagOf } from './tree/tree.ts'

export interface ContentOptions extends PartOptions {
  removeBase64Images: boolean
}

/** A lazy view of a page: decodes and parses parts on first use, and each part once. */
export interface Content {
  rawHtml(): string
  html(): string
  markdown(): string
  mainContent(): string
  links(): string[]
  images(): string[]
  metadata(): PageMetadata
  account(): TextCoverage
  blocks(): TextBlocks | undefined
  /** Returns the complete parsed tree, read-only; an empty tree if the page is not HTML. */
  tree(): Tree
  base(): string
  selectsUnreadFrames(): boolean
  warnings(): string[]
}

/** Throws for a page that is not textual: check `isTextual` first. */
export function readPage(page: Page, options: ContentOptions): Content {
  const kind = getPageKind(page)
  const text = lazy(() => page.text ?? decodeText(page.bytes, page.headers['content-type']).text)
  const rawHtml = lazy(() => (page.text === undefined ? text() : text().replaceAll(iframeMarkerHtml, '')))
  if (kind.name === 'binary') throw new Error('readPage was given a page that is not text')
  if (kind.name !== 'html') return createTextContent(page, { kind, rawHtml }, options)
  return createHtmlContent(page, { text, rawHtml, isXhtml: kind.isXhtml }, options)
}

function createHtmlContent(
  page: Page,
  { text, rawHtml, isXhtml }: { text: () => string; rawHtml: () => string; isXhtml: boolean },
  options: ContentOptions,
): Content {
  const hasIncludeTags = options.includeTags.length > 0
  const warnings = new Set<string>()
  const tree = lazy(() => {
    const parsed = parseHtml(text(), { isXhtml })
    if (parsed.isFlattened) warnings.add('The page nests its elements too deeply; the deepest were moved up.')
    if (parsed.unclosedConstruct !== undefined) {
      warnings.add(
        `The page ends inside ${parsed.unclosedConstruct} that is never closed; its content was not read.`,
      )
    }
    if (parsed.isTruncated) warnings.add('The page has too many elements; the last part of it was left out.')
    return parsed
  })
  const base = lazy(() => baseUrl(tree(), page.url))
  const blocked = lazy(() =>
    options.blocksAds ? findBlockedParts(tree(), page.url) : new Uint8Array(tree().count),
  )
  const selectParts = (requested: ContentOptions, partWarnings: Set<string>) =>
    selectContent({ tree: tree(), url: page.url, base: base(), blocked: blocked() }, requested, partWarnings)
  const selected = lazy(() => selectParts({ ...options, onlyCleanContent: false }, warnings))
  const cleaned = options.onlyCleanContent ? lazy(() => selectParts(options, warnings)) : selected
  const markdown = lazy(() => {
    const text = toMarkdown(cleaned(), options)
    if (text === '' && cleaned().kept.length > 0 && rawHtml().trim() !== '') warnings.add(noMarkdown)
    return text
  })
  return {
    rawHtml,
    html: lazy(() => writeHtml(selected())),
    markdown,
    mainContent: lazy(() => {
      if (isForMainContent(options)) return markdown()
      const defaults = { ...options, ...mainContentOnly }
      return toMarkdown(selectParts(defaults, new Set()), defaults)
    }),
    links: lazy(() => pageLinks(tree(), { base: base(), pageUrl: page.url, skipped: blocked() })),
    images: lazy(() => pageImages(tree(), base(), blocked())),
    metadata: lazy(() => {
      const { metadata, isTruncated } = pageMetadata(tree(), base())
      if (isTruncated) warnings.add('The page has too much metadata; a part of it was left out.')
      return metadata
    }),
    account: lazy(() => measureTextCoverage(selected(), { hasIncludeTags })),
    blocks: lazy(() => textBlocks({ requested: selected(), cleaned: cleaned() }, hasIncludeTags)),
    tree,
    base,
    selectsUnreadFrames: lazy(() => hasIncludeTags && containsUnreadFrame(selected())),
    warnings: () => [...warnings],
  }
}

const mainContentOnly = {
  ...{ onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  ...{ mainContentMode: undefined, onlyCleanContent: false },
}

function isForMainContent(options: ContentOptions): boolean {
  const { onlyMainContent, includeTags, excludeTags, mainContentMode, onlyCleanContent } = options
  const isWhole = includeTags.length === 0 && excludeTags.length === 0
  return onlyMainContent && isWhole && mainContentMode === undefined && !onlyCleanContent
}

const noMarkdown =
  'The page is not empty, but it has no readable text, so its Markdown is empty. rawHtml has the response of the site; text that scripts add may need waitFor.'

function containsUnreadFrame({ tree, kept }: Excerpt): boolean {
  const isFrame = (node: Node) => tagOf(tree, node) === tag.iframe || tagOf(tree, node) === tag.frame
  return kept.some(
    (node) => isFrame(node) && hasAttribute(tree, node, attr.src) && iframeContent(tree, node) === none,
  )
}

function createTextContent(
  page: Page,
  { kind, rawHtml }: { kind: PageKind; rawHtml: () => string },
  options: ContentOptions,
): Content {
  const warnings = new Set<string>()
  const language = kind.name === 'source' ? kind.language : undefined
  const mainContent = lazy(() =>
    language === undefined ? rawHtml() : fenced(withoutLastBreaks(rawHtml()), language),
  )
  const markdown = () => {
    if (options.onlyCleanContent) warnings.add(notHtml)
    return mainContent()
  }
  return {
    rawHtml,
    html: lazy(() => `<pre>${splitIntoPieces(rawHtml(), escapeText)}</pre>`),
    markdown,
    mainContent,
    links: () => [],
    images: () => [],
    metadata: () => ({}),
    account: lazy(() => ({ whole: rawHtml().length, kept: rawHtml().length, leftOut: [] })),
    blocks: () => undefined,
    tree: lazy(() => parseHtml('')),
    base: () => page.url,
    selectsUnreadFrames: () => false,
    warnings: () => [...warnings],
  }
}

const notHtml = 'onlyCleanContent has no effect: only HTML is cleaned, and this is not HTML.'

/** Uses no regular expression, because it would restart at every line break of a file that has many. */
function withoutLastBreaks(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 10) end -= 1
  return text.slice(0, end)
}

export function pageImages(tree: Tree, base: string, skipped?: Uint8Array): string[] {
  const images = new Set<string>()
  for (let node = 1; node < tree.count; node = skipped?.[node] === 1 ? endOf(tree, node) : node + 1) {
    if (skipped?.[node] === 1 || imageTags[tagOf(tree, node)] !== 1) continue
    const url = absoluteUrl(getImageUrl(tree, node), base)
    if (url && /^https?:/.test(url)) images.add(url)
  }
  return [...images]
}

const imageTags = tagSet('img input meta source video')

function getImageUrl(tree: Tree, node: Node): string | undefined {
  switch (tagOf(tree, node)) {
    case tag.img:
      return imageSource(tree, node)
    case tag.source:
      if (tree.tags[parentOf(tree, node)] !== tag.picture) return undefined
      return largestCandidate(attribute(tree, node, attr.srcset))
    case tag.video:
      return attribute(tree, node, attr.poster)
    case tag.input:
      if (attribute(tree, node, attr.type)?.toLowerCase() !== 'image') return undefined
      return attribute(tree, node, attr.src)
    default:
      return isImageMeta(tree, node) ? attribute(tree, node, attr.content) : undefined
  }
}

function isImageMeta(tree: Tree, meta: Node): boolean {
  const name = attribute(tree, meta, attr.property) ?? attribute(tree, meta, attr.name) ?? ''
  return /^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?)$/.test(name.toLowerCase())
}
