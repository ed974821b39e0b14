import type { Page } from 'playwright-core'
import type { CapturedFile } from '../content/captures.ts'
import { evaluateApart } from './evaluate-apart.ts'
import { fitPicture, type Size } from './fit-picture.ts'

export interface ScreenshotWish {
  fullPage: boolean
  quality?: number | undefined
  viewport?: Size | undefined
}

export interface Screenshot {
  file: CapturedFile
  /** Says that the screenshot shows less than requested. */
  warning: string | undefined
}

/** Takes a screenshot of the page, or of as much of it as fits the limits. */
export async function takeScreenshot(page: Page, wish: ScreenshotWish, timeout: number): Promise<Screenshot> {
  const before = page.viewportSize()
  const scale = await evaluateApart(page, () => devicePixelRatio, undefined)
  const window = wish.viewport && fitPicture(wish.viewport, scale)
  if (window) await page.setViewportSize(window.size)
  try {
    const whole = wish.fullPage
      ? fitPicture(await evaluateApart(page, sizeOfPage, undefined), scale)
      : undefined
    const clip = whole?.isCut ? { clip: { x: 0, y: 0, ...whole.size } } : {}
    const type =
      wish.quality === undefined
        ? ({ type: 'png' } as const)
        : ({ type: 'jpeg', quality: Math.round(wish.quality) } as const)
    const bytes = await page.screenshot({ ...type, ...clip, timeout, fullPage: wish.fullPage })
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
