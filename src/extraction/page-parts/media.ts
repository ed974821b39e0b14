import { Parser } from 'htmlparser2'
import { absoluteUrl } from '../../content/addresses.ts'
import type { Content } from '../../content/content.ts'
import type { CapturedFile, Page } from '../../content/page.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, type Node, type Tree } from '../../content/tree/tree.ts'
import { type StructuredItem, structuredItemsOf, textOf } from '../structured-data/structured-item.ts'
import { linkedData } from '../structured-data.ts'

export type AudioResult = CapturedFile | { reason: string }

/** `mediaType` is empty if the page declares none. */
export type MediaCandidate = Record<'url' | 'mediaType', string>

/** A page of links must not produce a list of a million entries. */
const maxCandidates = 50

/**
 * Returns the files that may contain audio, most likely first: declared, then played, then linked files. Videos are last,
 * because only their audio is used.
 */
export function audioCandidates(content: Pick<Content, 'rawHtml' | 'tree' | 'base'>): MediaCandidate[] {
  const base = content.base()
  const tree = content.tree()
  const found = tree.count === 1 ? feedMedia(content.rawHtml()) : pageMedia(tree)
  const ordered = sources.flatMap((source) => found.filter((media) => media.source === source))
  const byUrl = new Map<string, MediaCandidate>()
  for (const { address: mediaUrl, mediaType } of ordered) {
    const url = absoluteUrl(mediaUrl, base)
    if (url && /^https?:/.test(url) && !byUrl.has(url)) byUrl.set(url, { url, mediaType })
    if (byUrl.size === maxCandidates) break
  }
  return [...byUrl.values()]
}

/** For a file with a generic type, its name decides. */
export function isMedia(page: Page): boolean {
  const type = mediaTypeOf(page.headers['content-type'])
  if (page.text !== undefined) return false
  if (/^(?:audio|video)\/|^application\/ogg$/.test(type)) return true
  return /^(?:|application\/octet-stream)$/.test(type) && audioFileName.test(page.url)
}

export function seemsMp3({ url, mediaType }: MediaCandidate): boolean {
  return (
    /^audio\/(?:x-)?(?:mpeg|mp3|mpeg3)$/.test(mediaType) || /\.mp3$/i.test(URL.parse(url)?.pathname ?? '')
  )
}

/** Most likely first; `film` is a video. */
const sources = ['declared', 'played', 'linked', 'film'] as const

interface PageMedia {
  source: (typeof sources)[number]
  address: string | undefined
  mediaType: string
}

function pageMedia(tree: Tree): PageMedia[] {
  const metas: Node[] = []
  const mediaFiles: PageMedia[] = []
  for (let node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node]
    if (name === tag.meta) metas.push(node)
    else if (name === tag.audio || name === tag.video) mediaFiles.push(...elementMedia(tree, node))
    else if (name === tag.a) mediaFiles.push(...linkMedia(tree, node))
  }
  return [...declaredMedia(tree), ...mediaFiles, ...openGraph(tree, metas)]
}

/** JSON-LD contains audio objects, and the media of episodes. */
function declaredMedia(tree: Tree): PageMedia[] {
  const items = linkedData(tree)
  const episodes = items.filter(({ types }) => types.some((type) => type.endsWith('Episode')))
  const episodeMedia = new Set(
    episodes.flatMap((item) => structuredItemsOf(item, 'associatedMedia', 'audio', 'encoding')),
  )
  return items.flatMap((item) => mediaOf(item, episodeMedia.has(item)))
}

function mediaOf(item: StructuredItem, isOfEpisode: boolean): PageMedia[] {
  const address = textOf(item, 'contentUrl')
  if (address === undefined) return []
  const format = textOf(item, 'encodingFormat')?.toLowerCase() ?? ''
  const mediaType = format.includes('/') ? format : ''
  if (item.types.includes('VideoObject') || mediaType.startsWith('video/'))
    return [{ source: 'film', address, mediaType }]
  const isAudioItem = item.types.includes('AudioObject') || mediaType.startsWith('audio/') || isOfEpisode
  return isAudioItem ? [{ source: 'declared', address, mediaType }] : []
}

/** The sources of a media element have the same content. MP3 is first, because it needs no conversion. */
function elementMedia(tree: Tree, player: Node): PageMedia[] {
  const elements = [player]
  const end = endOf(tree, player)
  for (let child = player + 1; child < end; child = endOf(tree, child)) {
    if (tree.tags[child] === tag.source && elements.length < maxCandidates) elements.push(child)
  }
  const files = elements.map((element) => ({
    source: tree.tags[player] === tag.audio ? ('played' as const) : ('film' as const),
    address: attribute(tree, element, attr.src),
    mediaType: mediaTypeOf(attribute(tree, element, attr.type)),
  }))
  const isMp3 = (file: PageMedia) =>
    file.mediaType === 'audio/mpeg' || /\.mp3(?:[?#]|$)/i.test(file.address ?? '')
  return [...files.filter(isMp3), ...files.filter((file) => !isMp3(file))]
}

function linkMedia(tree: Tree, link: Node): PageMedia[] {
  const mediaType = mediaTypeOf(attribute(tree, link, attr.type))
  const address = attribute(tree, link, attr.href)
  return isAudio(address, mediaType) ? [{ source: 'linked', address, mediaType }] : []
}

/** The type of a file is in a separate tag, after the tag with its URL. */
function openGraph(tree: Tree, metas: readonly Node[]): PageMedia[] {
  const found: (PageMedia & { kind: string })[] = []
  const last = new Map<string, PageMedia>()
  for (const meta of metas) {
    const name = attribute(tree, meta, attr.property) ?? attribute(tree, meta, attr.name) ?? ''
    const [, kind, part] = /^og:(audio|video)(?::(url|secure_url|type))?$/.exec(name.toLowerCase()) ?? []
    if (kind === undefined) continue
    const content = attribute(tree, meta, attr.content)
    const previous = last.get(kind)
    if (part === 'type' && previous) previous.mediaType = mediaTypeOf(content)
    if (part === 'type') continue
    const media = { kind, source: 'declared' as const, address: content, mediaType: '' }
    last.set(kind, media)
    found.push(media)
  }
  return found.filter(({ kind, address, mediaType }) => kind === 'audio' || isAudio(address, mediaType))
}

const audioFileName = /\.(?:mp3|m4a|m4b|ogg|oga|opus|wav|flac|aac)(?:[?#]|$)/i

function isAudio(mediaUrl: string | undefined, mediaType: string): boolean {
  return mediaType.startsWith('audio/') || (mediaType === '' && audioFileName.test(mediaUrl ?? ''))
}

const mediaTypeOf = (text: string | undefined) => text?.split(';', 1)[0]?.trim().toLowerCase() ?? ''

const maxEnclosures = 200

function feedMedia(text: string): PageMedia[] {
  if (!isFeed(text)) return []
  const found: PageMedia[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const address = enclosureUrl(name, attributes)
        if (address === undefined || found.length >= maxEnclosures) return
        const mediaType = attributes.type?.trim().toLowerCase() ?? ''
        found.push({ source: isAudio(address, mediaType) ? 'declared' : 'film', address, mediaType })
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

function enclosureUrl(name: string, attributes: Record<string, string>): string | undefined {
  if (name === 'enclosure') return attributes.url
  if (name === 'link' || name === 'atom:link')
    return attributes.rel === 'enclosure' ? attributes.href : undefined
  const isMediaElement =
    name === 'media:content' && /^(?:audio|video)/.test(attributes.medium ?? attributes.type ?? '')
  return isMediaElement ? attributes.url : undefined
}
