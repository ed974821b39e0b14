import type { Element } from 'domhandler'
import { destination } from './escape.ts'

/** An image in Markdown, or nothing for one that shows nothing. */
export function imageText(image: Element, removesBase64: boolean): string {
  const { src, alt, title } = image.attribs
  const address = src?.trim()
  const label = (alt ?? title ?? '').replace(/\s+/g, ' ').trim()
  if (!address || isPixel(image)) return ''
  const isInline = /^data:/i.test(address)
  // A short one without words is what a lazy image shows until its script has run.
  if (isInline && !label && address.length < 200) return ''
  const target = isInline && removesBase64 ? '<Base64-Image-Removed>' : destination(address)
  return `![${label.replace(/[[\]\\]/g, '\\$&')}](${target})`
}

function isPixel(image: Element): boolean {
  return /^[01](?:px)?$/.test(image.attribs.width ?? '') && /^[01](?:px)?$/.test(image.attribs.height ?? '')
}
