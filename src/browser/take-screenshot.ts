import type { Page } from 'playwright-core'
import type { CapturedFile, ScreenshotOptions } from '../content/page.ts'
import { evaluateInIsolatedWorld } from './page-script.ts'

export async function takeScreenshot(
  page: Page,
  options: ScreenshotOptions,
  timeout: number,
): Promise<{ file: CapturedFile; warning: string | undefined }> {
  const originalViewport = page.viewportSize()
  const scale = await evaluateInIsolatedWorld(page, () => devicePixelRatio, undefined)
  const windowClip = options.viewport && clipScreenshot(options.viewport, scale)
  if (windowClip) await page.setViewportSize(windowClip.size)
  try {
    const pageClip = options.fullPage
      ? clipScreenshot(await evaluateInIsolatedWorld(page, getPageSize, undefined), scale)
      : undefined
    const clip = pageClip?.isCut ? { clip: { x: 0, y: 0, ...pageClip.size } } : {}
    const { fullPage, quality } = options
    const type = quality === undefined ? 'png' : 'jpeg'
    const format = { type, ...(quality !== undefined && { quality: Math.round(quality) }) } as const
    const bytes = await page.screenshot({ ...format, ...clip, timeout, fullPage })
    const clipped = [windowClip, pageClip].find((fitted) => fitted?.isCut)
    const shownPixels = `${clipped?.size.width} x ${clipped?.size.height} pixels`
    const warning = clipped && `The screenshot shows the first ${shownPixels}: ${bound}.`
    return { file: { bytes: new Uint8Array(bytes), mediaType: `image/${type}` }, warning }
  } finally {
    if (windowClip && originalViewport) await page.setViewportSize(originalViewport)
  }
}

/** Runs in the page. */
function getPageSize(): Size {
  const { scrollWidth: width, scrollHeight: height } = document.documentElement
  return { width, height }
}

type Size = NonNullable<ScreenshotOptions['viewport']>

/** Chromium cannot draw a larger bitmap. */
const maxSidePixels = 16_384
const maxPixels = 7680 * 4320

const bound = `a screenshot has at most ${maxSidePixels} pixels a side (LONGEST_SIDE) and ${maxPixels} in total (MOST_PIXELS)`

export function clipScreenshot({ width, height }: Size, scale: number): { size: Size; isCut: boolean } {
  const maxSide = Math.floor(maxSidePixels / scale)
  const fitted = { width: Math.min(width, maxSide), height: Math.min(height, maxSide) }
  const pixels = maxPixels / scale ** 2
  // The width is preserved if that leaves the minimum height, because the top of a page is the most important part.
  if (fitted.width * fitted.height > pixels) {
    fitted.height = Math.max(Math.floor(pixels / fitted.width), Math.min(fitted.height, minHeight))
    fitted.width = Math.min(fitted.width, Math.floor(pixels / fitted.height))
  }
  return { size: fitted, isCut: fitted.width < width || fitted.height < height }
}

const minHeight = 100
