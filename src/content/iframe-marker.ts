import { tag } from './tree/names.ts'
import { attributeNamed, type Node, nextSibling, none, type Tree, tagOf } from './tree/tree.ts'

/**
 * Attribute that marks the content of a frame. A rendered page has this content directly after the frame element, which
 * cannot contain markup. Page readers use the attribute, and no output contains it.
 */
export const iframeMarker = 'data-winnow-frame'

/** The marker as it is written into the HTML of a page. */
export const iframeMarkerHtml = ` ${iframeMarker}=""`

/** Returns the element with the content of a frame, or `none` if it is not part of the page. */
export function iframeContent(tree: Tree, frame: Node): Node {
  const id = tagOf(tree, frame)
  if (id !== tag.iframe && id !== tag.frame) return none
  const next = nextSibling(tree, frame)
  return next !== none && attributeNamed(tree, next, iframeMarker) !== undefined ? next : none
}
