import { attr } from '../../content/tree/names.ts'
import { attributeName, attributeValue, type Node, type Tree } from '../../content/tree/tree.ts'
import { nameWords, phraseOf, singular, wordList } from '../vocabulary/words.ts'
import type { NamedField, PhraseIndex, SchemaField } from './schema-fields.ts'

const maxTokenLength = 80

export function* tokensOf(tree: Tree, node: Node): Generator<string> {
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    const name = tree.attributes.names[at]
    if (name === attr.class) {
      for (const token of attributeValue(tree, at).slice(0, 500).split(/\s+/))
        if (token !== '' && token.length <= maxTokenLength) yield token
    } else if (name === attr.id || name === attr.itemprop || name === attr.rel) {
      const value = attributeValue(tree, at)
      if (value !== '' && value.length <= maxTokenLength) yield value
    } else if (name === 0 && attributeName(tree, at).startsWith('data-')) {
      // Read only values that look like identifiers. Tests and scripts use such data attributes.
      const value = attributeValue(tree, at)
      if (value.length <= maxTokenLength && /^[a-z][a-z0-9]*(?:[-_.:][a-z0-9]+)*$/i.test(value)) yield value
    }
  }
}

/** Words that describe presentation in class names, although they are field names elsewhere. */
const presentationWords = wordList('looks')

const abbreviations = new Map([
  ...Object.entries({ loc: 'location', desc: 'description', img: 'image', addr: 'address', cat: 'category' }),
  ...Object.entries({ qty: 'quantity', pub: 'published', org: 'organization', num: 'number', dt: 'date' }),
  ...Object.entries({ ttl: 'title', auth: 'author', sal: 'salary', dur: 'duration', cmt: 'comment' }),
  ...Object.entries({ comp: 'company', nm: 'name', mfr: 'manufacturer', msg: 'message' }),
])

export function elementWords(token: string): string[] {
  return nameWords(token).map((word) => abbreviations.get(word) ?? singular(word))
}

/** Returns the fields that a name may mean, with the share of the name that matches. `cache` has results by name. */
export function matchesOf(token: string, index: PhraseIndex, cache: Map<string, NamedField[]>): NamedField[] {
  const cached = cache.get(token)
  if (cached) return cached
  const words = elementWords(token)
  const found = new Map<SchemaField, number>()
  if (words.length <= 8) {
    for (let from = 0; from < words.length; from += 1) {
      for (let size = Math.min(3, words.length - from); size > 0; size -= 1) {
        const phrase = phraseOf(words.slice(from, from + size))
        const isPresentation = size === 1 && presentationWords.has(phrase) && words.length > 1
        for (const { field, weight } of index.get(phrase) ?? []) {
          // The last word is the concept: `author-image` is an image, but `recipe-author` is not a recipe.
          const isEnd = from + size === words.length
          const share = (size / words.length) ** 0.35 * (isEnd ? 1 : 0.75) * (isPresentation ? 0.6 : 1)
          found.set(field, Math.max(found.get(field) ?? 0, weight * share))
        }
      }
    }
  }
  const matches = [...found].flatMap(([field, weight]) => (weight >= 0.4 ? { field, weight } : []))
  cache.set(token, matches)
  return matches
}

const userPaths = new Set(['u', '~', '@'])

export function pathWords(href: string): string[] {
  const path = href
    .slice(0, 300)
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
  const parts = path.split('/').filter(Boolean)
  if (/^[~@]\w/.test(parts.at(-1) ?? '')) parts.push('user')
  return parts
    .filter((part) => !/\d/.test(part) && part.length <= 30)
    .map((part) => (userPaths.has(part) ? 'user' : part))
}
