import { attr, tag } from '../content/tree/names.ts'
import { attribute, hasAttribute, type Tree, textOf } from '../content/tree/tree.ts'
import { dataLayerPushes, embeddedStates, type Script } from './structured-data/embedded-state.ts'
import { jsonLdItems } from './structured-data/json-ld.ts'
import { readJson } from './structured-data/literal.ts'
import { markedUpItems, microdata, rdfa } from './structured-data/marked-up.ts'

export type StructuredData = ReturnType<typeof structuredData>

const maxScripts = 300
const maxCharacters = 12_000_000

export function structuredData(tree: Tree, base: string) {
  const scripts = findScripts(tree)
  return {
    jsonLd: jsonLdIn(scripts).outermost,
    microdata: markedUpItems(tree, base, microdata),
    rdfa: markedUpItems(tree, base, rdfa),
    openGraph: openGraphTags(tree),
    states: embeddedStates(scripts),
    dataLayer: dataLayerPushes(scripts),
  }
}

export const linkedData = (tree: Tree) => jsonLdIn(findScripts(tree)).all

function jsonLdIn(scripts: Script[]) {
  const blocks = scripts.filter(({ type }) => type.startsWith('application/ld+json'))
  return jsonLdItems(blocks.map(({ text }) => readJson(text)))
}

function findScripts(tree: Tree): Script[] {
  const scripts: Script[] = []
  let remainingCharacters = maxCharacters
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.script || hasAttribute(tree, node, attr.src)) continue
    const text = textOf(tree, node)
    if (text.length > remainingCharacters) continue
    remainingCharacters -= text.length
    scripts.push({
      id: attribute(tree, node, attr.id) ?? '',
      type: (attribute(tree, node, attr.type) ?? '').trim().toLowerCase(),
      text,
    })
    if (scripts.length >= maxScripts) break
  }
  return scripts
}

const maxTags = 500

/** Returns meta tag contents by property, such as `og:title` or `product:price:amount`. */
function openGraphTags(tree: Tree): Map<string, string[]> {
  const tags = new Map<string, string[]>()
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.meta) continue
    const name = attribute(tree, node, attr.property) ?? attribute(tree, node, attr.name) ?? ''
    const property = name.trim().toLowerCase()
    const content = attribute(tree, node, attr.content)?.trim()
    if (!content || !/^(?:og|product):/.test(property)) continue
    const values = tags.get(property)
    if (values && values.length < maxTags) values.push(content)
    else if (!values && tags.size < maxTags) tags.set(property, [content])
  }
  return tags
}
