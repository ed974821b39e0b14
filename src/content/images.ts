import { absoluteUrl } from './addresses.ts'
import { imageSource, largestCandidate } from './image-source.ts'
import { attr, tag, tagSet } from './tree/names.ts'
import { attribute, endOf, type Node, parentOf, type Tree, tagOf } from './tree/tree.ts'

/** The addresses of the images a page shows or names, absolute, each once, in document order. */
export function pageImages(tree: Tree, base: string, skipped?: Uint8Array): string[] {
  const images = new Set<string>()
  for (let node = 1; node < tree.count; node = skipped?.[node] === 1 ? endOf(tree, node) : node + 1) {
    if (skipped?.[node] === 1) continue
    if (imageTags[tagOf(tree, node)] !== 1) continue
    const url = absoluteUrl(imageAddress(tree, node), base)
    if (url && /^https?:/.test(url)) images.add(url)
  }
  return [...images]
}

const imageTags = tagSet('img input meta source video')

function imageAddress(tree: Tree, node: Node): string | undefined {
  switch (tagOf(tree, node)) {
    case tag.img:
      return imageSource(tree, node)
    case tag.source:
      return isInPicture(tree, node) ? largestCandidate(attribute(tree, node, attr.srcset)) : undefined
    case tag.video:
      return attribute(tree, node, attr.poster)
    case tag.input:
      return isImageInput(tree, node) ? attribute(tree, node, attr.src) : undefined
    default:
      return isImageMeta(tree, node) ? attribute(tree, node, attr.content) : undefined
  }
}

const isInPicture = (tree: Tree, source: Node) => tree.tags[parentOf(tree, source)] === tag.picture

const isImageInput = (tree: Tree, input: Node) => attribute(tree, input, attr.type)?.toLowerCase() === 'image'

function isImageMeta(tree: Tree, meta: Node): boolean {
  const name = attribute(tree, meta, attr.property) ?? attribute(tree, meta, attr.name) ?? ''
  return /^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?)$/.test(name.toLowerCase())
}
