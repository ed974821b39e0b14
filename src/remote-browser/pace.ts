import type { Readable } from 'node:stream'

const mostBytes = 1024 * 1024
const restFor = 20

/**
 * Back-pressure: after a number of bytes the source pauses for a moment, and its writer waits. That is 50 MB a
 * second, which takes a hundredth of the time of the service.
 */
export function pace(source: Readable): (bytes: number) => void {
  let left = mostBytes
  let resting: NodeJS.Timeout | undefined
  return (bytes) => {
    left -= bytes
    if (left > 0 || resting) return
    source.pause()
    resting = setTimeout(() => {
      resting = undefined
      left = mostBytes
      source.resume()
    }, restFor)
  }
}
