import { createEntryReader, type EntryPart } from '../../content/site/entry-reader.ts'
import { ProviderFailure, type ProviderResponse } from './provider.ts'
import { throwForStatus } from './read-response.ts'

export interface FeedEntry {
  link?: string
  /** First text of each element name. Names are in lower case, without a prefix. */
  texts: Map<string, string>
  authors: string[]
  /** Values of `term` in the `category` elements of Atom. */
  categories: string[]
}

const maxEntries = 250
const entryElements = new Set(['item', 'entry'])

export function readFeed(response: ProviderResponse, name: string): FeedEntry[] {
  throwForStatus(response, name)
  const entries: FeedEntry[] = []
  let entry: FeedEntry
  const reader = createEntryReader(entryElements, {
    onStart: () => (entry = { texts: new Map(), authors: [], categories: [] }),
    onPart: (part) => addPart(entry, part),
    onEnd: () => entries.length < maxEntries && entries.push(entry),
  })
  reader.write(response.body)
  const { root, isComplete } = reader.end()
  if (!isComplete || (root !== 'rss' && root !== 'feed'))
    throw new ProviderFailure('changed', `${name} answered with something that is no whole feed`)
  return entries
}

function addPart(entry: FeedEntry, { name, parent, text, attributes }: EntryPart): void {
  const { href, rel = 'alternate', term } = attributes
  if (name === 'link' && href && rel === 'alternate') entry.link ??= href
  else if (name === 'category' && term) entry.categories.push(term)
  else if (name === 'name' && parent === 'author') entry.authors.push(text)
  if (text === '' || !entryElements.has(parent)) return
  if (name === 'link') entry.link ??= text
  if (!entry.texts.has(name)) entry.texts.set(name, text)
}
