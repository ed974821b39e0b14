/**
 * Returns a negative number if the first version is older, and a positive number if it is newer. Compares only the
 * numbers, so that it also sorts folder names such as `chromium-1200`.
 * @param {string} first
 * @param {string} second
 */
export function compareVersions(first, second) {
  const [left, right] = [numbersIn(first), numbersIn(second)]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** @param {string} text */
function numbersIn(text) {
  return (text.match(/\d+/g) ?? []).map(Number)
}
