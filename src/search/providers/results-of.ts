import { decodeHTML } from 'entities'
import type { ProviderResult } from './provider.ts'
import { isWebAddress } from './read-answer.ts'

/** What an answer says of a result, as it stands there. */
export interface Said {
  url: string | null | undefined
  title: string | null | undefined
  text?: string | null | undefined
  publishedAt?: number | undefined
  imageUrl?: string | null | undefined
  imageWidth?: number | null | undefined
  imageHeight?: number | null | undefined
}

const mostResults = 250
const mostOfAddress = 8192
const mostOfTitle = 500
const mostOfText = 5000

/** Results of known shape and size; what has no address on the web is left out, and a title is never empty. */
export function resultsOf(said: readonly Said[]): ProviderResult[] {
  return said.slice(0, mostResults).flatMap((one) => {
    const { url, title, text, publishedAt, imageUrl, imageWidth, imageHeight } = one
    if (!isWebAddress(url) || url.length > mostOfAddress) return []
    const hasImage = isWebAddress(imageUrl) && imageUrl.length <= mostOfAddress
    return {
      url,
      title: tidy(title ?? '', mostOfTitle) || url,
      text: tidy(text ?? '', mostOfText),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(hasImage ? { imageUrl } : {}),
      ...(isLength(imageWidth) ? { imageWidth } : {}),
      ...(isLength(imageHeight) ? { imageHeight } : {}),
    }
  })
}

/** Tags that may stand inside a word; JATS, the markup of journals, has its own names for them. */
const insideWords = /<\/?(?:span|a|b|i|em|strong|sub|sup|jats:(?:italic|bold|sub|sup))(?:\s[^<>]{0,500})?>/gi

/** The words of a text with tags and character references. */
export function withoutTags(html: string): string {
  const words = html.slice(0, 4 * mostOfText).replace(insideWords, '')
  return decodeHTML(words.replace(/<[^<>]{0,500}>/g, ' '))
}

/** Before it is tidied a text may be longer, as white space goes. */
function tidy(text: string, most: number): string {
  return text
    .slice(0, 4 * most)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
}

function isLength(pixels: number | null | undefined): pixels is number {
  return Number.isInteger(pixels) && Number(pixels) > 0
}
