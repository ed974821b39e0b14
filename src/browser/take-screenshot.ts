import type { Page } from 'playwright-core'

export interface ScreenshotWish {
  fullPage: boolean
  quality?: number | undefined
  viewport?: { width: number; height: number } | undefined
}

/** Chromium cannot draw a bitmap higher than this; a longer page is cut there. */
const highest = 16_384

export async function takeScreenshot(page: Page, wish: ScreenshotWish, timeout: number) {
  const before = page.viewportSize()
  if (wish.viewport) await page.setViewportSize(wish.viewport)
  try {
    const picture =
      wish.quality === undefined
        ? ({ type: 'png' } as const)
        : ({ type: 'jpeg', quality: Math.round(wish.quality) } as const)
    const height = wish.fullPage ? await page.evaluate(() => document.documentElement.scrollHeight) : 0
    const width = wish.fullPage ? await page.evaluate(() => document.documentElement.scrollWidth) : 0
    const bytes =
      height > highest
        ? await page.screenshot({
            ...picture,
            timeout,
            fullPage: true,
            clip: { x: 0, y: 0, width, height: highest },
          })
        : await page.screenshot({ ...picture, timeout, fullPage: wish.fullPage })
    return { bytes: new Uint8Array(bytes), mediaType: `image/${picture.type}` }
  } finally {
    if (wish.viewport && before) await page.setViewportSize(before)
  }
}
