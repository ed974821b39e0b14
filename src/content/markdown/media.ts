import { framedPart } from '../frame-mark.ts'
import { attr, tag } from '../tree/names.ts'
import { attribute, attributeNamed, endOf, type Node, none } from '../tree/tree.ts'
import { escapeLabel } from './escape.ts'
import { isTiny } from './image.ts'
import type { Writer } from './writer.ts'

/** An embedded page is worth a link when a reader would see it. */
export function frameText({ tree, targetOf }: Writer, frame: Node): string {
  // What it shows follows.
  if (framedPart(tree, frame) !== none) return ''
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
