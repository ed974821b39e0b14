/** All messages go to stderr, because programs may parse the output of a command such as `key list`. */

/**
 * Prints the title when the work starts, and its duration when it ends.
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function step(title, work) {
  const begin = Date.now()
  process.stderr.write(`${title} … `)
  try {
    const result = await work()
    process.stderr.write(` ${duration(Date.now() - begin)}\n`)
    return result
  } catch (error) {
    process.stderr.write(` failed after ${duration(Date.now() - begin)}\n`)
    throw error
  }
}

/** @param {string} line */
export function logLine(line) {
  process.stderr.write(`${line}\n`)
}

/** Error whose message is shown to the user without a stack. */
export class SetupError extends Error {}

/** @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
