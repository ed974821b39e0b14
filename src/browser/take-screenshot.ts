import type { Page } from 'playwright-core'
import type { CapturedFile, ScreenshotOptions } from '../content/page.ts'
import { evaluateInIsolatedWorld } from './page-script.ts'

interface Screenshot {
  file: CapturedFile
  /** Says that the screenshot shows less than requested. */
  warning: string | undefined
}

/** Takes a screenshot of the page, or of as much of it as fits the limits. */
export async function takeScreenshot(
  page: Page,
  options: ScreenshotOptions,
  timeout: number,
): Promise<Screenshot> {
  const before = page.viewportSize()
  const scale = await evaluateInIsolatedWorld(page, () => devicePixelRatio, undefined)
  const window = options.viewport && clipScreenshot(options.viewport, scale)
  if (window) await page.setViewportSize(window.size)
  try {
    const whole = options.fullPage
      ? clipScreenshot(await evaluateInIsolatedWorld(page, sizeOfPage, undefined), scale)
      : undefined
    const clip = whole?.isCut ? { clip: { x: 0, y: 0, ...whole.size } } : {}
    const type =
      options.quality === undefined
        ? ({ type: 'png' } as const)
        : ({ type: 'jpeg', quality: Math.round(options.quality) } as const)
    const bytes = await page.screenshot({ ...type, ...clip, timeout, fullPage: options.fullPage })
    const cut = [window, whole].find((fitted) => fitted?.isCut)
    return {
      file: { bytes: new Uint8Array(bytes), mediaType: `image/${type.type}` },
      warning:
        cut && `The screenshot shows the first ${cut.size.width} x ${cut.size.height} pixels: ${cut.bound}.`,
    }
  } finally {
    if (window && before) await page.setViewportSize(before)
  }
}

/** Runs in the page. */
function sizeOfPage(): Size {
  const { scrollWidth: width, scrollHeight: height } = document.documentElement
  return { width, height }
}

interface Size {
  width: number
  height: number
}

interface FittedPicture {
  /** In pixels of the page. */
  size: Size
  isCut: boolean
  /** Why it is cut, as text. */
  bound: string
}

/** Chromium cannot draw a bitmap that is longer. */
const longestSide = 16_384
/** The pixels of the largest allowed window; each takes four bytes while it is drawn. */
const maxPixels = 7680 * 4320

const bound = `a screenshot has at most ${longestSide} pixels a side (LONGEST_SIDE) and ${maxPixels} in total (MOST_PIXELS)`

/** The part of a screenshot, from its top left, that may be drawn. `scale`: pixels drawn per pixel of the page. */
export function clipScreenshot({ width, height }: Size, scale: number): FittedPicture {
  const longest = Math.floor(longestSide / scale)
  const fitted = { width: Math.min(width, longest), height: Math.min(height, longest) }
  const pixels = maxPixels / scale ** 2
  // A page is read from its top, so the width is kept if that leaves some height.
  if (fitted.width * fitted.height > pixels) {
    fitted.height = Math.max(Math.floor(pixels / fitted.width), Math.min(fitted.height, minHeight))
    fitted.width = Math.min(fitted.width, Math.floor(pixels / fitted.height))
  }
  return { size: fitted, isCut: fitted.width < width || fitted.height < height, bound }
}

const minHeight = 100
