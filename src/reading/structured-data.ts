import type { Document } from 'domhandler'
import { elementsOf, textOf } from '../content/dom.ts'
import {
  dataLayerPushes,
  type EmbeddedState,
  embeddedStates,
  type Script,
} from './structured-data/embedded-state.ts'
import { jsonLdThings } from './structured-data/json-ld.ts'
import { readJson } from './structured-data/json-text.ts'
import { markedUpThings, microdata, rdfa } from './structured-data/marked-up.ts'
import type { Thing } from './structured-data/thing.ts'

/** What a page says to programs, by the way in which it says it. */
export interface StructuredData {
  jsonLd: Thing[]
  microdata: Thing[]
  rdfa: Thing[]
  /** Values by property, such as `og:title` or `product:price:amount`. */
  openGraph: Map<string, string[]>
  states: EmbeddedState[]
  dataLayer: unknown[]
}

const maxScripts = 300
const maxCharacters = 12_000_000

export function structuredData(root: Document, base: string): StructuredData {
  const scripts = scriptsOf(root)
  const blocks = scripts.filter(({ type }) => type.startsWith('application/ld+json'))
  return {
    jsonLd: jsonLdThings(blocks.map(({ text }) => readJson(text))),
    microdata: markedUpThings(root, base, microdata),
    rdfa: markedUpThings(root, base, rdfa),
    openGraph: openGraph(root),
    states: embeddedStates(scripts),
    dataLayer: dataLayerPushes(scripts),
  }
}

function scriptsOf(root: Document): Script[] {
  const scripts: Script[] = []
  let room = maxCharacters
  for (const element of elementsOf(root)) {
    if (element.name !== 'script' || element.attribs.src !== undefined) continue
    const text = textOf(element)
    if (text.length > room) continue
    room -= text.length
    scripts.push({
      id: element.attribs.id ?? '',
      type: (element.attribs.type ?? '').trim().toLowerCase(),
      text,
    })
    if (scripts.length >= maxScripts) break
  }
  return scripts
}

const maxTags = 500

function openGraph(root: Document): Map<string, string[]> {
  const tags = new Map<string, string[]>()
  for (const { name, attribs } of elementsOf(root)) {
    const property = (attribs.property ?? attribs.name ?? '').trim().toLowerCase()
    const content = attribs.content?.trim()
    if (name !== 'meta' || !content || !/^(?:og|product):/.test(property)) continue
    const values = tags.get(property)
    if (values && values.length < maxTags) values.push(content)
    else if (!values && tags.size < maxTags) tags.set(property, [content])
  }
  return tags
}
