import { absoluteUrl } from './addresses.ts'
import keys from './meta-keys.json' with { type: 'json' }
import { attr, tag } from './tree/names.ts'
import { attribute, findAround, type Node, none, type Tree, textOf } from './tree/tree.ts'

export interface PageMetadata {
  title?: string
  description?: string
  language?: string
  keywords?: string
  ogLocaleAlternate?: string[]
  [name: string]: string | string[] | undefined
}

const maxKeys = 300
const maxLength = 10_000

export function pageMetadata(tree: Tree, base: string): { metadata: PageMetadata; isTruncated: boolean } {
  const facts = readFacts(tree)
  const { metas } = facts
  const entries = new Map<string, string | string[]>()
  let isTruncated = false
  const put = (key: string, value: string | undefined) => {
    if (!value) return
    if (entries.size >= maxKeys || value.length > maxLength) isTruncated = true
    if (entries.size < maxKeys) entries.set(key, value.slice(0, maxLength))
  }
  put('title', facts.title || joinValues(metas, 'title', 'og:title', 'twitter:title'))
  put('description', joinValues(metas, 'description', 'og:description', 'twitter:description'))
  put('language', facts.language || joinValues(metas, 'language', 'content-language'))
  put('favicon', absoluteUrl(facts.favicon, base))
  for (const [name, key] of urlKeys) put(key, absoluteUrl(metas.get(name)?.values[0], base))
  for (const [name, key] of textKeys) put(key, joinValues(metas, name))
  const locales = metas.get('og:locale:alternate')?.values.slice(0, maxKeys)
  if (locales) entries.set('ogLocaleAlternate', locales)
  for (const [name, meta] of metas) {
    if (!knownNames.has(name) && !reservedKeys.has(meta.name)) put(meta.name, joinValues(metas, name))
  }
  // Entries become own properties, so a meta tag named like a property of Object.prototype does not overwrite it.
  return { metadata: Object.fromEntries(entries), isTruncated }
}

interface Facts {
  title: string
  language: string
  favicon: string | undefined
  metas: Map<string, { name: string; values: string[] }>
}

function readFacts(tree: Tree): Facts {
  const facts: Facts = { title: '', language: '', favicon: undefined, metas: new Map() }
  const isSvg = (node: Node) => tree.tags[node] === tag.svg
  let touchIcon: string | undefined
  for (let node = 1; node < tree.count; node += 1) {
    switch (tree.tags[node]) {
      case tag.html:
        facts.language ||= collapseSpace(
          attribute(tree, node, attr.lang) ?? attribute(tree, node, attr['xml:lang']) ?? '',
        )
        break
      case tag.title:
        if (!facts.title && findAround(tree, node, isSvg) === none)
          facts.title = collapseSpace(textOf(tree, node))
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

function addMeta(metas: Facts['metas'], tree: Tree, node: Node): void {
  const name = collapseSpace(getMetaName(tree, node))
  const value = collapseSpace(attribute(tree, node, attr.content) ?? '')
  if (!name || !value || name.length > 200) return
  const meta = metas.get(name.toLowerCase())
  if (!meta) metas.set(name.toLowerCase(), { name, values: [value] })
  else meta.values.push(value)
}

function getMetaName(tree: Tree, node: Node): string {
  const name = attribute(tree, node, attr.property) ?? attribute(tree, node, attr.name)
  if (name !== undefined) return name
  const pragma = attribute(tree, node, attr['http-equiv'])
  return pragma?.toLowerCase() === 'content-language' ? pragma : ''
}

function joinValues(metas: Facts['metas'], ...names: string[]): string | undefined {
  const meta = names.map((name) => metas.get(name)).find((candidate) => candidate !== undefined)
  return meta && [...new Set(meta.values)].join(', ')
}

const collapseSpace = (text: string) => text.replace(/\s+/g, ' ').trim()

const urlKeys = new Map(Object.entries(keys.addresses))
const textKeys = new Map(Object.entries(keys.texts))

const knownNames = new Set([
  ...[...urlKeys.keys(), ...textKeys.keys()],
  ...['title', 'description', 'language', 'content-language', 'og:locale:alternate'],
])

/** Keys that meta tags may not set: those above, those of the response, and names that break objects downstream. */
const reservedKeys = new Set([
  ...urlKeys.values(),
  ...textKeys.values(),
  ...['favicon', 'ogLocaleAlternate', '__proto__', 'constructor', 'prototype', 'toString', 'valueOf'],
  ...['sourceURL', 'url', 'statusCode', 'contentType', 'error', 'scrapeId', 'engine', 'proxyUsed'],
  ...['cacheState', 'cachedAt', 'creditsUsed', 'numPages', 'totalPages', 'timezone', 'indexId'],
  ...['postprocessorsUsed', 'concurrencyLimited', 'concurrencyQueueDurationMs', 'sourceFile'],
])
