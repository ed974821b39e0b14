import { imageSource } from '../image-source.ts'
import { attr, tag } from '../tree/names.ts'
import { attribute, endOf, type Node, type Tree } from '../tree/tree.ts'
import { destination, escapeLabel } from './escape.ts'
import type { Writer } from './writer.ts'

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
  for (let at = noscript + 1; at < end; at += 1) if (tree.tags[at] === tag.img) return at
  return undefined
}

function isPixel(tree: Tree, image: Node): boolean {
  return isTiny(attribute(tree, image, attr.width)) && isTiny(attribute(tree, image, attr.height))
}

export const isTiny = (length: string | undefined) => length !== undefined && /^[01](?:px)?$/.test(length)
