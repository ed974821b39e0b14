import { type Document, type Element, isTag } from 'domhandler'
import { absoluteUrl, elementsOf } from './dom.ts'
import { imageSource, largestCandidate } from './image-source.ts'

/** The addresses of the images a page shows or names, absolute, each once, in document order. */
export function pageImages(root: Document, base: string): string[] {
  const images = new Set<string>()
  for (const element of elementsOf(root)) {
    const url = absoluteUrl(imageAddress(element), base)
    if (url && /^https?:/.test(url)) images.add(url)
  }
  return [...images]
}

function imageAddress(element: Element): string | undefined {
  switch (element.name) {
    case 'img':
      return imageSource(element)
    case 'source':
      return isInPicture(element) ? largestCandidate(element.attribs.srcset) : undefined
    case 'video':
      return element.attribs.poster
    case 'input':
      return element.attribs.type?.toLowerCase() === 'image' ? element.attribs.src : undefined
    case 'meta':
      return isImageMeta(element) ? element.attribs.content : undefined
    default:
      return undefined
  }
}

function isInPicture(source: Element): boolean {
  return source.parent !== null && isTag(source.parent) && source.parent.name === 'picture'
}

function isImageMeta(meta: Element): boolean {
  const name = (meta.attribs.property ?? meta.attribs.name ?? '').toLowerCase()
  return /^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?)$/.test(name)
}
