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
import { texAttribute } from './facts.ts'
import { mathmlToTex } from './mathml.ts'
import type { Writer } from './writer.ts'

/** An embedded page is worth a link when a reader would see it. */
export function frameText({ tree, targetOf }: Writer, frame: Node): string {
  // What it shows follows.
  if (iframeContent(tree, frame) !== none) return ''
  if (isTiny(attribute(tree, frame, attr.width)) || isTiny(attribute(tree, frame, attr.height))) return ''
  const target = targetOf(attribute(tree, frame, attr.src) ?? attribute(tree, frame, attr['data-src']))
  if (!/^https?:/.test(target)) return ''
  return `[${escapeLabel(attribute(tree, frame, attr.title) ?? '') || hostOf(target)}](${target})`
}

/** A film or a sound as a link; those that only decorate play by themselves without a sound. */
export function mediaText(writer: Writer, media: Node): string {
  const { tree } = writer
  if (
    attributeNamed(tree, media, 'autoplay') !== undefined &&
    attributeNamed(tree, media, 'muted') !== undefined
  )
    return ''
  const target = mediaTarget(writer, media)
  if (!/^https?:/.test(target)) return ''
  const title = attribute(tree, media, attr['aria-label']) ?? attribute(tree, media, attr.title) ?? ''
  const name = tree.tags[media] === tag.audio ? 'Audio' : 'Video'
  return `[${escapeLabel(title) || name}](${target})`
}

function mediaTarget({ tree, targetOf }: Writer, media: Node): string {
  const own = targetOf(attribute(tree, media, attr.src))
  if (own !== '') return own
  const end = endOf(tree, media)
  for (let at = media + 1; at < end; at += 1) {
    if (tree.tags[at] !== tag.source) continue
    const target = targetOf(attribute(tree, at, attr.src))
    if (target !== '') return target
  }
  return ''
}

const hostOf = (url: string) => URL.parse(url)?.hostname ?? url

interface Formula {
  text: string
  /** A formula of plain symbols is a text like others. */
  isTex: boolean
}

/** The formula an element shows, as TeX where the page has it. */
export function formula(tree: Tree, node: Node): Formula {
  const tex = texOf(tree, node)
  if (tex) return { text: clean(tex), isTex: true }
  const converted = tree.tags[node] === tag.math ? mathmlToTex(tree, node) : ''
  if (/[\\^_{]/.test(converted)) return { text: converted, isTex: true }
  return { text: textOf(tree, node).replace(/\s+/g, ' ').trim(), isTex: false }
}

function texOf(tree: Tree, node: Node): string | undefined {
  const name = tree.tags[node]
  if (name === tag.script) return textOf(tree, node).trim()
  if (name !== tag.math) return texAttribute(tree, node)
  const end = endOf(tree, node)
  for (let at = node + 1; at < end; at += 1) {
    if (tree.tags[at] !== tag.annotation) continue
    if (/tex/i.test(attribute(tree, at, attr.encoding) ?? '')) return textOf(tree, at).trim()
  }
  return attribute(tree, node, attr.alttext)?.trim()
}

/** On one line, without what only asks for large symbols around all of it. */
function clean(tex: string): string {
  const line = tex
    .replace(/^%.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:\\\(|\\\[|\$\$?)(.*?)(?:\\\)|\\\]|\$\$?)$/, '$1')
    .trim()
  return line.match(/^\{\\displaystyle (.*)\}$/)?.[1]?.trim() ?? line
}

/** An image in Markdown, or nothing for one that shows nothing. */
export function imageText(writer: Writer, image: Node): string {
  const { tree } = writer
  if (isPixel(tree, image)) return ''
  const source = imageSource(tree, image)?.trim()
  const label = labelOf(tree, image)
  if (label === '' && source && isSign(writer, source)) return ''
  if (source && !/^data:/i.test(source)) return written(label, writer.targetOf(source))
  const fallback = fallbackImage(tree, image)
  const real = fallback === undefined ? undefined : imageSource(tree, fallback)
  if (fallback !== undefined && real) return written(label || labelOf(tree, fallback), writer.targetOf(real))
  // A short one without words is what a lazy image shows until its script has run.
  if (!source || (label === '' && source.length < 200)) return ''
  return written(label, writer.options.removeBase64Images ? '<Base64-Image-Removed>' : destination(source))
}

/** An image without text that appears this often on one page is a bullet or an arrow. */
const timesOfSign = 4

function isSign(writer: Writer, source: string): boolean {
  writer.imageTimes ??= countImages(writer.tree)
  return (writer.imageTimes.get(source) ?? 0) >= timesOfSign
}

function countImages(tree: Tree): Map<string, number> {
  const times = new Map<string, number>()
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.img) continue
    const source = imageSource(tree, node)?.trim()
    if (source) times.set(source, (times.get(source) ?? 0) + 1)
  }
  return times
}

function labelOf(tree: Tree, image: Node): string {
  return escapeLabel(attribute(tree, image, attr.alt) ?? attribute(tree, image, attr.title) ?? '')
}

const written = (label: string, target: string) => (target === '' ? '' : `![${label}](${target})`)

/** The real image for readers without scripts, right behind the one that waits for a script. */
function fallbackImage(tree: Tree, image: Node): Node | undefined {
  const next = endOf(tree, image)
  const noscript = tree.tags[next] === 0 ? next + 1 : next
  if (tree.tags[noscript] !== tag.noscript || tree.parents[noscript] !== tree.parents[image]) return undefined
  const end = Math.min(endOf(tree, noscript), noscript + 10)
  const found = findTag(tree, tag.img, noscript + 1, end)
  return found === none ? undefined : found
}

function isPixel(tree: Tree, image: Node): boolean {
  return isTiny(attribute(tree, image, attr.width)) && isTiny(attribute(tree, image, attr.height))
}

const isTiny = (length: string | undefined) => length !== undefined && /^[01](?:px)?$/.test(length)
