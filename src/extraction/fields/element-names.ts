import { attr } from '../../content/tree/names.ts'
import { attributeName, attributeValue, type Node, type Tree } from '../../content/tree/tree.ts'
import { nameWords, phraseOf, singular, wordList } from '../vocabulary/words.ts'
import type { PhraseIndex, SchemaField } from './schema-fields.ts'

const longestToken = 80

/** A field that a name may mean. */
export interface Match {
  slot: SchemaField
  /** How much of the name means the field. */
  weight: number
}

/** The names that an element has: classes, its id, and what its attributes call it. */
export function* tokensOf(tree: Tree, node: Node): Generator<string> {
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    const name = tree.attributes.names[at]
    if (name === attr.class) {
      for (const token of attributeValue(tree, at).slice(0, 500).split(/\s+/))
        if (token !== '' && token.length <= longestToken) yield token
    } else if (name === attr.id || name === attr.itemprop || name === attr.rel) {
      const value = attributeValue(tree, at)
      if (value !== '' && value.length <= longestToken) yield value
    } else if (name === 0 && attributeName(tree, at).startsWith('data-')) {
      // The names that tests and programs use; other data is no name.
      const value = attributeValue(tree, at)
      if (value.length <= longestToken && /^[a-z][a-z0-9]*(?:[-_.:][a-z0-9]+)*$/i.test(value)) yield value
    }
  }
}

/** Names of classes that say how an element looks, whatever they mean elsewhere. */
const looks = wordList('looks')

/** How programmers shorten names. */
const short = new Map(
  (
    'loc=location desc=description img=image addr=address cat=category qty=quantity pub=published org=organization num=number dt=date ' +
    'ttl=title auth=author sal=salary dur=duration cmt=comment comp=company nm=name mfr=manufacturer msg=message'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)

/** The words of the name of an element, shortened ones in full. */
export function elementWords(token: string): string[] {
  return nameWords(token).map((word) => short.get(word) ?? singular(word))
}

/** The fields that a name may mean; `known` has those of names that came before. */
export function matchesOf(token: string, index: PhraseIndex, known: Map<string, Match[]>): Match[] {
  const memo = known.get(token)
  if (memo) return memo
  const words = elementWords(token)
  const found = new Map<SchemaField, number>()
  if (words.length <= 8) {
    for (let from = 0; from < words.length; from += 1) {
      for (let size = Math.min(3, words.length - from); size > 0; size -= 1) {
        const phrase = phraseOf(words.slice(from, from + size))
        const isLook = size === 1 && looks.has(phrase) && words.length > 1
        for (const { slot, weight } of index.get(phrase) ?? []) {
          // The end of a name says what it is: `author-image` is a picture, `recipe-author` is not.
          const isEnd = from + size === words.length
          const share = (size / words.length) ** 0.35 * (isEnd ? 1 : 0.75) * (isLook ? 0.6 : 1)
          found.set(slot, Math.max(found.get(slot) ?? 0, weight * share))
        }
      }
    }
  }
  const matches = [...found].filter(([, weight]) => weight >= 0.4).map(([slot, weight]) => ({ slot, weight }))
  known.set(token, matches)
  return matches
}

/** How addresses shorten what they lead to. */
const shortPaths: Record<string, string> = { u: 'user', '~': 'user', '@': 'user' }

/** The parts of a path, in words. */
export function pathWords(href: string): string[] {
  const path = href
    .slice(0, 300)
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
  const parts = path.split('/').filter(Boolean)
  const sign = /^[~@](?=\w)/.exec(parts.at(-1) ?? '')?.[0]
  return [...parts, ...(sign ? [sign] : [])]
    .filter((part) => !/\d/.test(part) && part.length <= 30)
    .map((part) => shortPaths[part] ?? part)
}
