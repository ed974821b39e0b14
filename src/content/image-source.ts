import { attr, tag } from './tree/names.ts'
import {
  attribute,
  attributeName,
  attributeValue,
  endOf,
  hasAttribute,
  type Node,
  parentOf,
  type Tree,
} from './tree/tree.ts'

export function imageSource(tree: Tree, image: Node): string | undefined {
  const src = attribute(tree, image, attr.src)
  const source =
    largestCandidate(attribute(tree, image, attr.srcset)) ??
    largestCandidate(firstAttribute(tree, image, lazySets)) ??
    (isPlaceholder(src)
      ? (firstAttribute(tree, image, lazySources) ?? findUnlistedSource(tree, image))
      : src) ??
    findPictureSource(tree, image) ??
    src
  return source?.replace(widthPlaceholder, defaultWidth)
}

/** Placeholder that scripts of shops replace by the screen width before they load the image. */
const widthPlaceholder = '{width}'
const defaultWidth = '1080'
const lazySets = [attr['data-srcset'], attr['data-lazy-srcset'], attr['data-original-srcset']]
const lazyNames = ['data-src', 'data-lazy-src', 'data-original-src', 'data-original'] as const
const lazySources = lazyNames.map((name) => attr[name])

/** Names of the URL attribute of lazy-loading scripts: `data-cfsrc`, `nitro-lazy-src`, `data-hi-res-src`. */
const lazyName = /(?:lazy|data)[a-z-]*src$|^data-(?:echo|image|lazy)$/
const maxNameLength = 40

function findUnlistedSource(tree: Tree, image: Node): string | undefined {
  const stop = tree.stops[image] ?? 0
  for (let at = tree.starts[image] ?? 0; at < stop; at += 1) {
    if (tree.attributes.names[at] !== 0) continue
    const name = attributeName(tree, at)
    if (name.length > maxNameLength || !lazyName.test(name)) continue
    const value = attributeValue(tree, at)
    if (!isPlaceholder(value)) return value
  }
  return undefined
}

export function largestCandidate(srcset: string | undefined): string | undefined {
  if (!srcset) return undefined
  let largest: string | undefined
  let largestSize = Number.NEGATIVE_INFINITY
  let position = find(srcset, 0, noSeparator)
  while (position < srcset.length) {
    // A comma inside a URL is part of it. A comma at its end means that no size follows.
    const urlEnd = find(srcset, position, space)
    const url = srcset.slice(position, urlEnd)
    const end = url.endsWith(',') ? urlEnd : find(srcset, urlEnd, comma)
    const size = parseSize(srcset.slice(urlEnd, end))
    if (largest === undefined || size > largestSize) {
      largest = withoutCommas(url)
      largestSize = size
    }
    position = find(srcset, end, noSeparator)
  }
  return largest
}

const noSeparator = /[^\s,]/g
const space = /\s/g
const comma = /,/g

function find(text: string, position: number, pattern: RegExp): number {
  pattern.lastIndex = position
  return pattern.exec(text)?.index ?? text.length
}

function parseSize(descriptor: string): number {
  const size = Number.parseFloat(descriptor.trim())
  return Number.isNaN(size) ? 1 : size
}

function withoutCommas(url: string): string {
  let end = url.length
  while (url.charAt(end - 1) === ',') end -= 1
  return url.slice(0, end)
}

function firstAttribute(tree: Tree, image: Node, names: readonly number[]): string | undefined {
  const name = names.find((at) => hasAttribute(tree, image, at))
  return name === undefined ? undefined : attribute(tree, image, name)
}

const isPlaceholder = (src: string | undefined) => !src?.trim() || /^\s*data:/i.test(src)

/** A `<picture>` may contain a hundred thousand images, and its sources are searched for each of them. */
const maxChecks = 50

function findPictureSource(tree: Tree, image: Node): string | undefined {
  const picture = parentOf(tree, image)
  if (tree.tags[picture] !== tag.picture) return undefined
  const end = endOf(tree, picture)
  let child = picture + 1
  for (let checks = 0; checks < maxChecks && child < end; checks += 1, child = endOf(tree, child)) {
    if (tree.tags[child] !== tag.source) continue
    const source = largestCandidate(attribute(tree, child, attr.srcset))
    if (source) return source
  }
  return undefined
}
