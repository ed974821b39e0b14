import { AppError } from '../platform/errors.ts'
import type { BrowserProcess } from '../platform/ports/chromium.ts'

export interface MemoryBounds {
  pageMegabytes: number
  browserMegabytes: number
}

export interface Excess {
  bound: 'BROWSER_PAGE_MB' | 'BROWSER_MB'
  max: number
}

/** If the process to end belongs to a page, only that page ends; otherwise the whole browser does. */
export function checkMemory(
  processes: BrowserProcess[],
  bounds: MemoryBounds,
): { excess: Excess; end: { pid: number } | 'browser' } | undefined {
  const largest = processes.toSorted(compareBySize)[0]
  if (!largest) return undefined
  const page = processes.filter(({ isOfPage }) => isOfPage).toSorted(compareBySize)[0]
  if (page && getSize(page) > bounds.pageMegabytes)
    return { end: { pid: page.pid }, excess: { bound: 'BROWSER_PAGE_MB', max: bounds.pageMegabytes } }
  // Shared memory is measured in every process that shares it, so it is counted only once.
  const shared = Math.max(...processes.map(({ sharedMegabytes }) => sharedMegabytes))
  const total = processes.reduce((sum, { ownMegabytes }) => sum + ownMegabytes, shared)
  if (total <= bounds.browserMegabytes) return undefined
  const end = largest.isOfPage ? { pid: largest.pid } : 'browser'
  return { end, excess: { bound: 'BROWSER_MB', max: bounds.browserMegabytes } }
}

const compareBySize = (left: BrowserProcess, right: BrowserProcess) => getSize(right) - getSize(left)

const getSize = ({ ownMegabytes, sharedMegabytes }: BrowserProcess) => ownMegabytes + sharedMegabytes

export function memoryExceededError({ bound, max }: Excess): AppError {
  const message = `The page used more memory than allowed (${bound}: ${max} MB), so it was closed.`
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'browser', bound, most: max }, { message })
}
