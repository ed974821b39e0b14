import { iframeContent } from '../iframe-marker.ts'
import { imageSource } from '../image-source.ts'
import { attr, tag } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  endOf,
  findTag,
  type Node,
  none,
  type Tree,
  textOf,
} from '../tree/tree.ts'
import { destination, escapeLabel } from './escape.ts'
import { getTexAttribute } from './facts.ts'
import { mathmlToTex } from './mathml.ts'
import type { Writer } from './writer.ts'

export function renderFrame({ tree, targetOf }: Writer, frame: Node): string {
  if (iframeContent(tree, frame) !== none) return ''
  if (isTiny(attribute(tree, frame, attr.width)) || isTiny(attribute(tree, frame, attr.height))) return ''
  const target = targetOf(attribute(tree, frame, attr.src) ?? attribute(tree, frame, attr['data-src']))
  if (!/^https?:/.test(target)) return ''
  return `[${escapeLabel(attribute(tree, frame, attr.title) ?? '') || (URL.parse(target)?.hostname ?? target)}](${target})`
}

/** Writes a video or audio element as a link. Omits decorative media, which play automatically and are muted. */
export function renderMedia(writer: Writer, media: Node): string {
  const { tree } = writer
  if (['autoplay', 'muted'].every((name) => attributeNamed(tree, media, name) !== undefined)) return ''
  const target = getMediaTarget(writer, media)
  if (!/^https?:/.test(target)) return ''
  const title = attribute(tree, media, attr['aria-label']) ?? attribute(tree, media, attr.title) ?? ''
  const name = tree.tags[media] === tag.audio ? 'Audio' : 'Video'
  return `[${escapeLabel(title) || name}](${target})`
}

function getMediaTarget({ tree, targetOf }: Writer, media: Node): string {
  const end = endOf(tree, media)
  for (let at = media; at < end; at += 1) {
    if (at !== media && tree.tags[at] !== tag.source) continue
    const target = targetOf(attribute(tree, at, attr.src))
    if (target !== '') return target
  }
  return ''
}

export function formula(tree: Tree, node: Node): { text: string; isTex: boolean } {
  const tex = getTex(tree, node)
  if (tex) return { text: normaliseTex(tex), isTex: true }
  const converted = tree.tags[node] === tag.math ? mathmlToTex(tree, node) : ''
  if (/[\\^_{]/.test(converted)) return { text: converted, isTex: true }
  return { text: textOf(tree, node).replace(/\s+/g, ' ').trim(), isTex: false }
}

function getTex(tree: Tree, node: Node): string | undefined {
  const name = tree.tags[node]
  if (name === tag.script) return textOf(tree, node).trim()
  if (name !== tag.math) return getTexAttribute(tree, node)
  const end = endOf(tree, node)
  for (let at = node + 1; at < end; at += 1) {
    if (tree.tags[at] !== tag.annotation) continue
    if (/tex/i.test(attribute(tree, at, attr.encoding) ?? '')) return textOf(tree, at).trim()
  }
  return attribute(tree, node, attr.alttext)?.trim()
}

function normaliseTex(tex: string): string {
  const line = tex
    .replace(/^%.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:\\\(|\\\[|\$\$?)(.*?)(?:\\\)|\\\]|\$\$?)$/, '$1')
    .trim()
  return line.match(/^\{\\displaystyle (.*)\}$/)?.[1]?.trim() ?? line
}

export function renderImage(writer: Writer, image: Node): string {
  const { tree } = writer
  if (isTiny(attribute(tree, image, attr.width)) && isTiny(attribute(tree, image, attr.height))) return ''
  const source = imageSource(tree, image)?.trim()
  const label = getLabel(tree, image)
  if (label === '' && source) {
    writer.imageCounts ??= countImages(tree)
    if ((writer.imageCounts.get(source) ?? 0) >= minSymbolCount) return ''
  }
  if (source && !/^data:/i.test(source)) return toImage(label, writer.targetOf(source))
  const fallback = findFallbackImage(tree, image)
  const fallbackSource = imageSource(tree, fallback)
  if (fallbackSource) return toImage(label || getLabel(tree, fallback), writer.targetOf(fallbackSource))
  // A short data URL without a label is the placeholder of a lazy image.
  if (!source || (label === '' && source.length < 200)) return ''
  return toImage(label, writer.options.removeBase64Images ? '<Base64-Image-Removed>' : destination(source))
}

/** Minimum number of occurrences on the page from which an image without text is a bullet or an arrow. */
const minSymbolCount = 4

function countImages(tree: Tree): Map<string, number> {
  const counts = new Map<string, number>()
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.img) continue
    const source = imageSource(tree, node)?.trim()
    if (source) counts.set(source, (counts.get(source) ?? 0) + 1)
  }
  return counts
}

function getLabel(tree: Tree, image: Node): string {
  return escapeLabel(attribute(tree, image, attr.alt) ?? attribute(tree, image, attr.title) ?? '')
}

const toImage = (label: string, target: string) => (target === '' ? '' : `![${label}](${target})`)

function findFallbackImage(tree: Tree, image: Node): Node {
  const next = endOf(tree, image)
  const noscript = tree.tags[next] === 0 ? next + 1 : next
  if (tree.tags[noscript] !== tag.noscript || tree.parents[noscript] !== tree.parents[image]) return none
  const end = Math.min(endOf(tree, noscript), noscript + 10)
  return findTag(tree, tag.img, noscript + 1, end)
}

const isTiny = (length: string | undefined) => length !== undefined && /^[01](?:px)?$/.test(length)
