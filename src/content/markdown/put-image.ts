import { attr, tag } from '../tree/names.ts'
import { attribute, attributeNamed, classOf, endOf, type Node, none, type Tree } from '../tree/tree.ts'
import { imageText } from './image.ts'
import { putRaw } from './inline-writer.ts'
import { link as linkMark } from './marks.ts'
import { hasText } from './visible.ts'
import type { Around, Writer } from './writer.ts'

/** An image in its line, or in a paragraph of its own if it is a picture. Nothing makes an image bold or slanted. */
export function putImage(writer: Writer, image: Node, { marks, link, target }: Around): void {
  const text = imageText(writer, image)
  if (text === '') return
  const { inline, tree } = writer
  const isAlone = inline.style === 'lines' && isPicture(tree, image) && !isInLinkedText(writer, image, link)
  if (isAlone) inline.breaks = 2
  putRaw(inline, text, marks & linkMark, link, target)
  if (isAlone) inline.breaks = 2
}

/** Wider than what stands within a line. */
const widthOfPicture = 300

const pictureNames = /(?:^|\s)(?:size-(?:large|full|medium_large)|aligncenter)(?:\s|$)/

function isPicture(tree: Tree, image: Node): boolean {
  const width = attribute(tree, image, attr.width)
  if (width !== undefined && /^\d{1,5}(?:px)?$/.test(width))
    return Number.parseInt(width, 10) >= widthOfPicture
  if (pictureNames.test(classOf(tree, image) ?? '')) return true
  return /(?:^|[;\s])display:\s?block/i.test(attributeNamed(tree, image, 'style') ?? '')
}

/** More than a link around nothing but a picture has. */
const nodesAround = 20

/** A break would tear the link of a card, or around several pictures. */
function isInLinkedText({ tree, facts }: Writer, image: Node, link: Node): boolean {
  if (link === none) return false
  const isAround = tree.tags[link] === tag.a && link < image && endOf(tree, link) > image
  const end = endOf(tree, link)
  if (!isAround || end - link > nodesAround || hasText(tree, facts, link + 1, end)) return true
  for (let at = link + 1; at < end; at += 1) if (at !== image && tree.tags[at] === tag.img) return true
  return false
}
