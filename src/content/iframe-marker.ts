import { tag } from './tree/names.ts'
import { attributeNamed, type Node, nextSibling, none, type Tree, tagOf } from './tree/tree.ts'

/** Marks the content of a frame, which follows the frame element in a rendered page. No output contains it. */
export const iframeMarker = 'data-winnow-frame'

export const iframeMarkerHtml = ` ${iframeMarker}=""`

export function iframeContent(tree: Tree, frame: Node): Node {
  const id = tagOf(tree, frame)
  if (id !== tag.iframe && id !== tag.frame) return none
  const next = nextSibling(tree, frame)
  return next !== none && attributeNamed(tree, next, iframeMarker) !== undefined ? next : none
}
