import { type Element, isTag } from 'domhandler'

/**
 * The best address an image names for itself, as written: the largest candidate, or where a lazy image keeps
 * it.
 */
export function imageSource(image: Element): string | undefined {
  const { src, srcset } = image.attribs
  return (
    largestCandidate(srcset) ??
    largestCandidate(lazyAttribute(image, 'srcset')) ??
    (isPlaceholder(src) ? lazyAttribute(image, 'src') : src) ??
    pictureSource(image) ??
    src
  )
}

/** The candidate of a `srcset` with the greatest width or density. */
export function largestCandidate(srcset: string | undefined): string | undefined {
  let largest: { url: string; size: number } | undefined
  for (const candidate of candidates(srcset ?? '')) {
    if (!largest || candidate.size > largest.size) largest = candidate
  }
  return largest?.url
}

function* candidates(srcset: string): Generator<{ url: string; size: number }> {
  let position = 0
  for (;;) {
    position = skip(srcset, position, /[^\s,]/g)
    if (position === srcset.length) return
    // A comma inside an address is part of it; one at its end means that no size follows.
    const urlEnd = skip(srcset, position, /\s/g)
    const url = srcset.slice(position, urlEnd)
    const end = url.endsWith(',') ? urlEnd : skip(srcset, urlEnd, /,/g)
    const size = Number.parseFloat(srcset.slice(urlEnd, end).trim())
    yield { url: withoutCommas(url), size: Number.isNaN(size) ? 1 : size }
    position = end
  }
}

/** Where the first match at or after this position begins, or the end. */
function skip(text: string, position: number, until: RegExp): number {
  until.lastIndex = position
  return until.exec(text)?.index ?? text.length
}

function withoutCommas(url: string): string {
  let end = url.length
  while (url.charAt(end - 1) === ',') end -= 1
  return url.slice(0, end)
}

function lazyAttribute(image: Element, name: 'src' | 'srcset'): string | undefined {
  const { attribs } = image
  const value = attribs[`data-${name}`] ?? attribs[`data-lazy-${name}`] ?? attribs[`data-original-${name}`]
  return value ?? (name === 'src' ? attribs['data-original'] : undefined)
}

function isPlaceholder(src: string | undefined): boolean {
  return !src?.trim() || /^\s*data:/i.test(src)
}

function pictureSource(image: Element): string | undefined {
  const picture = image.parent
  if (!picture || !isTag(picture) || picture.name !== 'picture') return undefined
  for (const child of picture.children) {
    const source =
      isTag(child) && child.name === 'source' ? largestCandidate(child.attribs.srcset) : undefined
    if (source) return source
  }
  return undefined
}
