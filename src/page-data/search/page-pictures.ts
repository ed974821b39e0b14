import { absoluteUrl } from '../../content/addresses.ts'
import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, type Node, type Tree } from '../../content/tree/tree.ts'

export interface PagePicture {
  url: string
  /** What it shows, in the words of the page. */
  text: string
  width: number | undefined
  height: number | undefined
}

const mostPictures = 50
const mostText = 500
/** Smaller ones are decoration. */
const leastSize = 32

/** The pictures of a page that say what they show, each once. */
export function pagePictures(tree: Tree, base: string): PagePicture[] {
  const pictures = new Map<string, PagePicture>()
  for (let node = 1; node < tree.count && pictures.size < mostPictures; node += 1) {
    if (tree.tags[node] !== tag.img) continue
    const picture = pictureAt(tree, node, base)
    if (picture && !pictures.has(picture.url)) pictures.set(picture.url, picture)
  }
  return [...pictures.values()]
}

function pictureAt(tree: Tree, node: Node, base: string): PagePicture | undefined {
  const url = absoluteUrl(imageSource(tree, node), base)
  const width = pixels(attribute(tree, node, attr.width))
  const height = pixels(attribute(tree, node, attr.height))
  const isSmall = (width ?? leastSize) < leastSize || (height ?? leastSize) < leastSize
  if (!url || !/^https?:/.test(url) || isSmall) return undefined
  const words = attribute(tree, node, attr.alt) || attribute(tree, node, attr.title) || nameOf(url)
  return { url, text: words.replace(/\s+/g, ' ').trim().slice(0, mostText), width, height }
}

function pixels(text: string | undefined): number | undefined {
  const [, digits] = /^\s*(\d{1,5})(?:px)?\s*$/.exec(text ?? '') ?? []
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits)
}

/** The words in the name of a file: `harbour-at-noon.jpg`. */
function nameOf(url: string): string {
  const file = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  return file.replace(/\.\w{1,5}$/, '').replace(/[-_+%\d]+/g, ' ')
}
