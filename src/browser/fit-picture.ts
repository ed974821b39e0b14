export interface Size {
  width: number
  height: number
}

export interface FittedPicture {
  /** In pixels of the page. */
  size: Size
  isCut: boolean
  /** Why it is cut, as text. */
  bound: string
}

/** Chromium cannot draw a bitmap that is longer. */
const longestSide = 16_384
/** The pixels of the largest allowed window; each takes four bytes while it is drawn. */
const mostPixels = 7680 * 4320

const bound = `a screenshot has at most ${longestSide} pixels a side (LONGEST_SIDE) and ${mostPixels} in total (MOST_PIXELS)`

/** The part of a screenshot, from its top left, that may be drawn. `scale`: pixels drawn per pixel of the page. */
export function fitPicture({ width, height }: Size, scale: number): FittedPicture {
  const longest = Math.floor(longestSide / scale)
  const fitted = { width: Math.min(width, longest), height: Math.min(height, longest) }
  const pixels = mostPixels / scale ** 2
  // A page is read from its top, so the width is kept if that leaves some height.
  if (fitted.width * fitted.height > pixels) {
    fitted.height = Math.max(Math.floor(pixels / fitted.width), Math.min(fitted.height, leastHeight))
    fitted.width = Math.min(fitted.width, Math.floor(pixels / fitted.height))
  }
  return { size: fitted, isCut: fitted.width < width || fitted.height < height, bound }
}

const leastHeight = 100
