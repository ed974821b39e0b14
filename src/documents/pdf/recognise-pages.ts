import { LiteParse } from '@llamaindex/liteparse'
import { limitConcurrency } from '../../base/permits.ts'
import { recognise } from '../ocr/recognise.ts'
import type { RawPage } from './shapes.ts'

export interface PageSize {
  pageNumber: number
  width: number
  height: number
}

export interface Recognised {
  pages: RawPage[]
  /** Pages for which there was not enough time. */
  late: number[]
}

const wantedDpi = 220
/** A page of poster size is rendered at a lower resolution; otherwise its image would fill the memory. */
const mostPixelsPerSide = 3000
/** Left for what follows the recognition. */
const reserveMs = 1500

/** Renders pages and runs OCR on them, several at a time, until the deadline. */
export async function recognisePages(
  bytes: Buffer,
  sizes: PageSize[],
  how: { program: string; endsAt: number; atOnce: number },
): Promise<Recognised> {
  const found: Recognised = { pages: [], late: [] }
  const limited = limitConcurrency(how.atOnce)
  let longest = 0
  const work = async (size: PageSize) => {
    const left = how.endsAt - performance.now() - reserveMs
    if (left < longest * 0.7 || left <= 0) return void found.late.push(size.pageNumber)
    const began = performance.now()
    const page = await recognisePage(bytes, size, how.program, AbortSignal.timeout(Math.ceil(left)))
    longest = Math.max(longest, performance.now() - began)
    if (page) found.pages.push(page)
    else found.late.push(size.pageNumber)
  }
  await Promise.all(sizes.map((size) => limited(() => work(size))))
  return found
}

/** Undefined after a timeout. */
async function recognisePage(
  bytes: Buffer,
  size: PageSize,
  program: string,
  signal: AbortSignal,
): Promise<RawPage | undefined> {
  const side = Math.max(size.width, size.height, 1)
  const dpi = Math.max(10, Math.min(wantedDpi, Math.floor((mostPixelsPerSide * 72) / side)))
  const parser = new LiteParse({ dpi, quiet: true, ocrEnabled: false })
  const [picture] = await parser.screenshot(bytes, [size.pageNumber])
  if (!picture || picture.isSolidFill) return { ...size, runs: [], tables: [], rules: [], source: 'ocr' }
  try {
    return await recognise(picture.imageBuffer, size, { program, signal })
  } catch (thrown) {
    if (signal.aborted) return undefined
    throw thrown
  }
}
