import { tag } from './tree/names.ts'
import { attributeNamed, type Node, nextSibling, none, type Tree, tagOf } from './tree/tree.ts'

/**
 * Marks what a frame shows: a rendered page has it right behind the element of the frame, which can hold no markup itself.
 * Readers of the page know it by this attribute, and nobody is shown it.
 */
export const iframeMarker = 'data-winnow-frame'

/** As it is written into the text of a page. */
export const iframeMarkerHtml = ` ${iframeMarker}=""`

/** Marks the content of a frame that is part of the page. */
export function iframeContent(tree: Tree, frame: Node): Node {
  const id = tagOf(tree, frame)
  if (id !== tag.iframe && id !== tag.frame) return none
  const next = nextSibling(tree, frame)
  return next !== none && attributeNamed(tree, next, iframeMarker) !== undefined ? next : none
}
