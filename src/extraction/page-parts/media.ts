import { Parser } from 'htmlparser2'
import { absoluteUrl } from '../../content/addresses.ts'
import type { Content } from '../../content/content.ts'
import type { CapturedFile, Page } from '../../content/page.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, type Node, type Tree } from '../../content/tree/tree.ts'
import { type StructuredItem, structuredItemsOf, textOf } from '../structured-data/structured-item.ts'
import { linkedData } from '../structured-data.ts'

/** The recording of a page as MP3, or why there is none. */
export type AudioAnswer = CapturedFile | { reason: string }

/** A file that may be the recording of a page. */
export interface MediaCandidate {
  url: string
  /** The type that the page declares; empty if it declares none. */
  mediaType: string
}

/** More than anyone would try; a page of links must not become a list of a million. */
const maxCandidates = 50

/**
 * The files of a page that may hold sound, likeliest first: what it declares to be its recording, then what it plays,
 * then what it links to, and films last, of which only the sound is wanted.
 */
export function audioCandidates(content: Pick<Content, 'rawHtml' | 'tree' | 'base'>): MediaCandidate[] {
  const base = content.base()
  const tree = content.tree()
  const isEmpty = tree.count === 1
  const found = isEmpty ? feedMedia(content.rawHtml()) : pageMedia(tree)
  const ordered = places.flatMap((place) => found.filter((media) => media.place === place))
  const byUrl = new Map<string, MediaCandidate>()
  for (const { address, mediaType } of ordered) {
    const url = absoluteUrl(address, base)
    if (url && /^https?:/.test(url) && !byUrl.has(url)) byUrl.set(url, { url, mediaType })
    if (byUrl.size === maxCandidates) break
  }
  return [...byUrl.values()]
}

/** Whether the page is a recording itself, by its type or, where that says nothing, by its name. */
export function isMedia(page: Page): boolean {
  const type = mediaTypeOf(page.headers['content-type'])
  if (page.text !== undefined) return false
  if (/^(?:audio|video)\/|^application\/ogg$/.test(type)) return true
  return /^(?:|application\/octet-stream)$/.test(type) && soundName.test(page.url)
}

/** Whether a file is MP3 by what its name and its description say. */
export function seemsMp3({ url, mediaType }: MediaCandidate): boolean {
  return (
    /^audio\/(?:x-)?(?:mpeg|mp3|mpeg3)$/.test(mediaType) || /\.mp3$/i.test(URL.parse(url)?.pathname ?? '')
  )
}

/** Where a recording may stand on a page, likeliest first. */
const places = ['declared', 'played', 'linked', 'film'] as const

/** A file as it was found, before its address is made absolute. */
interface FoundMedia {
  place: (typeof places)[number]
  address: string | undefined
  mediaType: string
}

function feedMedia(text: string): FoundMedia[] {
  return enclosuresOf(text).map(({ address, mediaType }) => ({
    place: isSound(address, mediaType) ? 'declared' : 'film',
    address,
    mediaType,
  }))
}

function pageMedia(tree: Tree): FoundMedia[] {
  const metas: Node[] = []
  const found: FoundMedia[] = []
  for (let node = 1; node < tree.count; node += 1) {
    switch (tree.tags[node]) {
      case tag.meta:
        metas.push(node)
        break
      case tag.audio:
      case tag.video:
        found.push(...playedBy(tree, node))
        break
      case tag.a:
        found.push(...linkedBy(tree, node))
    }
  }
  return [...declaredMedia(tree), ...found, ...openGraph(tree, metas)]
}

/** The recordings that a page declares in JSON-LD: of itself, or as the media of an episode. */
function declaredMedia(tree: Tree): FoundMedia[] {
  const things = linkedData(tree)
  const episodes = things.filter(({ types }) => types.some((type) => type.endsWith('Episode')))
  const ofEpisodes = new Set(
    episodes.flatMap((thing) => structuredItemsOf(thing, 'associatedMedia', 'audio', 'encoding')),
  )
  return things.flatMap((thing) => mediaOf(thing, ofEpisodes.has(thing)))
}

function mediaOf(thing: StructuredItem, isOfEpisode: boolean): FoundMedia[] {
  const address = textOf(thing, 'contentUrl')
  if (address === undefined) return []
  const format = textOf(thing, 'encodingFormat')?.toLowerCase() ?? ''
  const mediaType = format.includes('/') ? format : ''
  if (thing.types.includes('VideoObject') || mediaType.startsWith('video/'))
    return [{ place: 'film', address, mediaType }]
  const isRecording = thing.types.includes('AudioObject') || mediaType.startsWith('audio/') || isOfEpisode
  return isRecording ? [{ place: 'declared', address, mediaType }] : []
}

/** The sources of one element are the same recording: the one that needs no conversion goes first. */
function playedBy(tree: Tree, player: Node): FoundMedia[] {
  const elements = [player]
  const end = endOf(tree, player)
  for (let child = player + 1; child < end; child = endOf(tree, child)) {
    if (tree.tags[child] === tag.source && elements.length < maxCandidates) elements.push(child)
  }
  const files = elements.map((element) => ({
    place: tree.tags[player] === tag.audio ? ('played' as const) : ('film' as const),
    address: attribute(tree, element, attr.src),
    mediaType: mediaTypeOf(attribute(tree, element, attr.type)),
  }))
  const isReady = (file: FoundMedia) =>
    file.mediaType === 'audio/mpeg' || /\.mp3(?:[?#]|$)/i.test(file.address ?? '')
  return [...files.filter(isReady), ...files.filter((file) => !isReady(file))]
}

function linkedBy(tree: Tree, link: Node): FoundMedia[] {
  const mediaType = mediaTypeOf(attribute(tree, link, attr.type))
  const address = attribute(tree, link, attr.href)
  return isSound(address, mediaType) ? [{ place: 'linked', address, mediaType }] : []
}

/** Open Graph writes the type of a file in a separate tag, after the one with the URL. */
function openGraph(tree: Tree, metas: readonly Node[]): FoundMedia[] {
  const found: (FoundMedia & { kind: string })[] = []
  const last = new Map<string, FoundMedia>()
  for (const meta of metas) {
    const name = attribute(tree, meta, attr.property) ?? attribute(tree, meta, attr.name) ?? ''
    const [, kind, part] = /^og:(audio|video)(?::(url|secure_url|type))?$/.exec(name.toLowerCase()) ?? []
    if (kind === undefined) continue
    const content = attribute(tree, meta, attr.content)
    const described = last.get(kind)
    if (part === 'type' && described) described.mediaType = mediaTypeOf(content)
    if (part === 'type') continue
    const media = { kind, place: 'declared' as const, address: content, mediaType: '' }
    last.set(kind, media)
    found.push(media)
  }
  return found.filter(({ kind, address, mediaType }) => kind === 'audio' || isSound(address, mediaType))
}

const soundName = /\.(?:mp3|m4a|m4b|ogg|oga|opus|wav|flac|aac)(?:[?#]|$)/i

function isSound(address: string | undefined, mediaType: string): boolean {
  return mediaType.startsWith('audio/') || (mediaType === '' && soundName.test(address ?? ''))
}

function mediaTypeOf(text: string | undefined): string {
  return text?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

interface Enclosure {
  address: string
  mediaType: string
}

const maxEnclosures = 200

/** The enclosures of a feed (RSS or Atom), in order; empty for any other text. */
function enclosuresOf(text: string): Enclosure[] {
  if (!isFeed(text)) return []
  const found: Enclosure[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const address = enclosureAddress(name, attributes)
        if (address === undefined || found.length >= maxEnclosures) return
        found.push({ address, mediaType: attributes.type?.trim().toLowerCase() ?? '' })
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  return found
}

function isFeed(text: string): boolean {
  const start = text.slice(0, 4096).replace(/^(?:\s+|<!--[\s\S]*?-->|<[?!][^>]*>)+/, '')
  return /^<(?:rss|feed|rdf:rdf)[\s>]/i.test(start)
}

function enclosureAddress(name: string, attributes: Record<string, string>): string | undefined {
  if (name === 'enclosure') return attributes.url
  if (name === 'link' || name === 'atom:link') {
    return attributes.rel === 'enclosure' ? attributes.href : undefined
  }
  const isMedia =
    name === 'media:content' && /^(?:audio|video)/.test(attributes.medium ?? attributes.type ?? '')
  return isMedia ? attributes.url : undefined
}
