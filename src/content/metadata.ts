import { absoluteUrl } from './addresses.ts'
import keys from './meta-keys.json' with { type: 'json' }
import { attr, tag } from './tree/names.ts'
import { attribute, findAround, type Node, none, type Tree, textOf } from './tree/tree.ts'

/** The metadata of a page. Values are text; only the alternate locales are a list. */
export interface PageMetadata {
  title?: string
  description?: string
  language?: string
  keywords?: string
  ogLocaleAlternate?: string[]
  [name: string]: string | string[] | undefined
}

/** Above these a page is not describing itself but filling our answer. */
const maxKeys = 300
const maxLength = 10_000

export function pageMetadata(tree: Tree, base: string): { metadata: PageMetadata; isCut: boolean } {
  const facts = readFacts(tree)
  const { metas } = facts
  const entries = new Map<string, string | string[]>()
  let isCut = false
  const put = (key: string, value: string | undefined) => {
    if (!value) return
    if (entries.size >= maxKeys || value.length > maxLength) isCut = true
    if (entries.size < maxKeys) entries.set(key, value.slice(0, maxLength))
  }
  put('title', facts.title || joined(metas, 'title', 'og:title', 'twitter:title'))
  put('description', joined(metas, 'description', 'og:description', 'twitter:description'))
  put('language', facts.language || joined(metas, 'language', 'content-language'))
  put('favicon', absoluteUrl(facts.favicon, base))
  for (const [name, key] of addressKeys) put(key, absoluteUrl(metas.get(name)?.values[0], base))
  for (const [name, key] of textKeys) put(key, joined(metas, name))
  const locales = metas.get('og:locale:alternate')?.values.slice(0, maxKeys)
  if (locales) entries.set('ogLocaleAlternate', locales)
  for (const [name, meta] of metas) {
    if (!knownNames.has(name) && !reservedKeys.has(meta.name)) put(meta.name, joined(metas, name))
  }
  // Entries become own properties, so a meta named after something every object has changes nothing else.
  return { metadata: Object.fromEntries(entries), isCut }
}

interface Facts {
  title: string
  language: string
  favicon: string | undefined
  /** By name in lower case. */
  metas: Map<string, { name: string; values: string[] }>
}

function readFacts(tree: Tree): Facts {
  const facts: Facts = { title: '', language: '', favicon: undefined, metas: new Map() }
  const isDrawing = (node: Node) => tree.tags[node] === tag.svg
  let touchIcon: string | undefined
  for (let node = 1; node < tree.count; node += 1) {
    switch (tree.tags[node]) {
      case tag.html:
        facts.language ||= collapsed(languageOf(tree, node))
        break
      case tag.title:
        if (!facts.title && findAround(tree, node, isDrawing) === none)
          facts.title = collapsed(textOf(tree, node))
        break
      case tag.meta:
        addMeta(facts.metas, tree, node)
        break
      case tag.link: {
        const relations = (attribute(tree, node, attr.rel) ?? '').toLowerCase().split(/\s+/)
        if (relations.includes('icon')) facts.favicon ??= attribute(tree, node, attr.href)
        if (relations.includes('apple-touch-icon')) touchIcon ??= attribute(tree, node, attr.href)
      }
    }
  }
  facts.favicon ??= touchIcon
  return facts
}

function languageOf(tree: Tree, html: Node): string {
  return attribute(tree, html, attr.lang) ?? attribute(tree, html, attr['xml:lang']) ?? ''
}

function addMeta(metas: Facts['metas'], tree: Tree, node: Node): void {
  const own = collapsed(metaName(tree, node))
  const value = collapsed(attribute(tree, node, attr.content) ?? '')
  if (!own || !value || own.length > 200) return
  const meta = metas.get(own.toLowerCase())
  if (!meta) metas.set(own.toLowerCase(), { name: own, values: [value] })
  else meta.values.push(value)
}

function metaName(tree: Tree, node: Node): string {
  const name = attribute(tree, node, attr.property) ?? attribute(tree, node, attr.name)
  if (name !== undefined) return name
  const pragma = attribute(tree, node, attr['http-equiv'])
  return pragma?.toLowerCase() === 'content-language' ? pragma : ''
}

/** The values of the first of these names that has any, each once. */
function joined(metas: Facts['metas'], ...names: string[]): string | undefined {
  const meta = names.map((name) => metas.get(name)).find((candidate) => candidate !== undefined)
  return meta && [...new Set(meta.values)].join(', ')
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const addressKeys = new Map(Object.entries(keys.addresses))
const textKeys = new Map(Object.entries(keys.texts))

const knownNames = new Set([
  ...addressKeys.keys(),
  ...textKeys.keys(),
  'title',
  'description',
  'language',
  'content-language',
  'og:locale:alternate',
])

/** Keys that only we may set: those above, those of the response, and names that break objects downstream. */
const reservedKeys = new Set([
  ...addressKeys.values(),
  ...textKeys.values(),
  ...['favicon', 'ogLocaleAlternate', '__proto__', 'constructor', 'prototype', 'toString', 'valueOf'],
  ...['sourceURL', 'url', 'statusCode', 'contentType', 'error', 'scrapeId', 'engine', 'proxyUsed'],
  ...['cacheState', 'cachedAt', 'creditsUsed', 'numPages', 'totalPages', 'timezone', 'indexId'],
  ...['postprocessorsUsed', 'concurrencyLimited', 'concurrencyQueueDurationMs', 'sourceFile'],
])
