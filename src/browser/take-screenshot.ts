import type { Page } from 'playwright-core'
import type { CapturedFile, ScreenshotOptions } from '../content/captures.ts'
import { evaluateApart } from './evaluate-apart.ts'
import { fitPicture, type Size } from './fit-picture.ts'

export interface Screenshot {
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
  const scale = await evaluateApart(page, () => devicePixelRatio, undefined)
  const window = options.viewport && fitPicture(options.viewport, scale)
  if (window) await page.setViewportSize(window.size)
  try {
    const whole = options.fullPage
      ? fitPicture(await evaluateApart(page, sizeOfPage, undefined), scale)
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
