import { z } from 'zod'
import { ProviderFailure, type ProviderRequest, type ProviderResult } from './provider.ts'
import { isWebAddress } from './read-answer.ts'
import { readDate } from './read-date.ts'

const longest = { url: 4096, title: 500, text: 5000 }

/** Details that a result may lack, or have in another form, without being worthless. */
export const maybeText = z.string().nullish().catch(undefined)
export const maybeNumber = z.number().nullish().catch(undefined)

/** A result as it is read from an answer. */
export interface GivenResult {
  url?: string | null | undefined
  title?: string | null | undefined
  text?: string | null | undefined
  date?: string | null | undefined
  imageUrl?: string | null | undefined
  imageWidth?: number | null | undefined
  imageHeight?: number | null | undefined
}

/** The results that have an address of the web, within bounds. */
export function keepResults(
  given: readonly GivenResult[],
  { most, now }: ProviderRequest,
  name: string,
): ProviderResult[] {
  // A list whose every result lacks an address is not a list of results any more.
  if (given.length > 0 && given.every(({ url }) => typeof url !== 'string'))
    throw new ProviderFailure('changed', `${name} answered with results that have no address`)
  return given.flatMap((result) => keepResult(result, now)).slice(0, most)
}

function keepResult({ url, title, text, date, ...image }: GivenResult, now: number): ProviderResult[] {
  if (!isWebAddress(url) || url.length > longest.url) return []
  const publishedAt = readDate(date, now)
  return [
    {
      url,
      title: bounded(title, longest.title),
      text: bounded(text, longest.text),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...keepImage(image),
    },
  ]
}

type ImagePart = 'imageUrl' | 'imageWidth' | 'imageHeight'

function keepImage({ imageUrl, imageWidth, imageHeight }: Pick<GivenResult, ImagePart>) {
  if (!isWebAddress(imageUrl) || imageUrl.length > longest.url) return {}
  return {
    imageUrl,
    ...(isLength(imageWidth) ? { imageWidth } : {}),
    ...(isLength(imageHeight) ? { imageHeight } : {}),
  }
}

// Services write 0 where they do not know.
function isLength(pixels: number | null | undefined): pixels is number {
  return Number.isInteger(pixels) && Number(pixels) > 0
}

function bounded(text: string | null | undefined, most: number): string {
  return (text ?? '').slice(0, most).toWellFormed().replace(/\s+/g, ' ').trim()
}
