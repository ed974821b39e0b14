import { describe, expect, it } from 'vitest'
import { clipScreenshot } from './take-screenshot.ts'

describe('clipScreenshot', () => {
  it.each([
    [{ width: 1280, height: 800 }, 1],
    [{ width: 1280, height: 16_384 }, 1],
    [{ width: 7680, height: 4320 }, 1],
    [{ width: 390, height: 844 }, 3],
  ])('does not clip %o at scale %i', (size, scale) => {
    expect(clipScreenshot(size, scale)).toMatchObject({ size, isCut: false })
  })

  it.each([
    [{ width: 1280, height: 100_000 }, 1, { width: 1280, height: 16_384 }],
    [{ width: 100_000, height: 800 }, 1, { width: 16_384, height: 800 }],
    [{ width: 100_000, height: 100_000 }, 1, { width: 16_384, height: 2025 }],
    [{ width: 390, height: 100_000 }, 3, { width: 390, height: 5461 }],
    [{ width: 7680, height: 4320 }, 3, { width: 5461, height: 675 }],
  ])('clips %o at scale %i', (size, scale, clipped) => {
    expect(clipScreenshot(size, scale)).toMatchObject({ size: clipped, isCut: true })
  })

  it.each([1, 2, 3, 10])('never exceeds the drawable size at scale %i', (scale) => {
    for (const width of [1, 99, 5000, 1e5, 1e7]) {
      for (const height of [1, 99, 5000, 1e5, 1e7]) {
        const { size } = clipScreenshot({ width, height }, scale)
        expect(size.width * size.height * scale ** 2).toBeLessThanOrEqual(7680 * 4320)
        expect(Math.max(size.width, size.height) * scale).toBeLessThanOrEqual(16_384)
        expect(Math.min(size.width, size.height)).toBeGreaterThan(0)
      }
    }
  })
})
