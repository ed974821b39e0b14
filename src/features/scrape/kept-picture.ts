import { z } from 'zod'
import type { CapturedFile, ScreenshotOptions } from '../../content/captures.ts'

/** What is noted of a picture that is kept with its page. Its bytes stand behind those of the page. */
export const keptPicture = z.object({
  fullPage: z.boolean(),
  quality: z.number().nullable(),
  mediaType: z.string(),
  size: z.number(),
})

export type KeptPicture = z.output<typeof keptPicture>

export function notePicture(file: CapturedFile, options: ScreenshotOptions): KeptPicture {
  return { ...shapeOf(options), mediaType: file.mediaType, size: file.bytes.length }
}

/** Whether a kept picture is the one that is asked for. The size of its window is part of the key of its page. */
export function isPictureFor(kept: KeptPicture | undefined, options: ScreenshotOptions): boolean {
  const { fullPage, quality } = shapeOf(options)
  return kept !== undefined && kept.fullPage === fullPage && kept.quality === quality
}

/** What was kept → the page, and the picture behind it. */
export function takeApart(
  packed: Uint8Array,
  kept: KeptPicture | undefined,
): { page: Uint8Array; picture: CapturedFile | undefined } {
  if (!kept) return { page: packed, picture: undefined }
  const end = packed.length - kept.size
  const picture = { bytes: packed.subarray(end), mediaType: kept.mediaType }
  return { page: packed.subarray(0, end), picture }
}

function shapeOf({ fullPage, quality }: ScreenshotOptions): Pick<KeptPicture, 'fullPage' | 'quality'> {
  return { fullPage, quality: quality === undefined ? null : Math.round(quality) }
}
