import type { Json } from '../api.ts'

/** Omission sign in a response on a page: the actual response contains more. */
export const more = '…'

/** Patterns of values that differ in each run. */
const changing: [string, RegExp][] = [
  ['id', /^(?:[a-z]+_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/],
  ['time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ['address with a token', /^(?:https?|wss?):\/\/\S*(?:token|signature|sig)=\S+$/],
  ['address with an id', /^https?:\/\/\S*[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\S*$/],
]
/** Numbers that depend on the machine. */
const measured = /(?:Ms|InQueue|creditsBilled)$/

/** Returns the differences between the response on a page and the actual one, each with its path. */
export function differences(expected: Json, actual: Json, path = 'answer'): string[] {
  if (expected === more) return []
  if (Array.isArray(expected)) return compareLists(expected, actual, path)
  if (expected !== null && typeof expected === 'object') return compareObjects(expected, actual, path)
  if (typeof expected === 'number' && typeof actual === 'number' && measured.test(path)) return []
  if (typeof expected === 'string' && typeof actual === 'string') return compareTexts(expected, actual, path)
  return expected === actual
    ? []
    : [`${path}: the page shows ${excerpt(expected)}, and ${excerpt(actual)} came`]
}

const excerpt = (value: Json) => JSON.stringify(value)?.slice(0, 300)

/** Compares texts. A text that ends with the omission sign must be the start of the actual one. */
function compareTexts(expected: string, actual: string, path: string): string[] {
  const kind = changing.find(([, pattern]) => pattern.test(expected))
  const isSame = kind
    ? kind[1].test(actual)
    : expected.endsWith(more)
      ? actual.startsWith(expected.slice(0, -more.length))
      : expected === actual
  return isSame ? [] : [`${path}: the page shows ${excerpt(expected)}, and ${excerpt(actual)} came`]
}

function compareObjects(expected: Json, actual: Json, path: string): string[] {
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual))
    return [`${path}: the page shows an object, and ${excerpt(actual)} came`]
  const isCut = more in expected
  const names = Object.keys(expected).filter((name) => name !== more)
  const missing = isCut ? [] : Object.keys(actual).filter((name) => !(name in expected))
  return [
    ...names.flatMap((name) =>
      name in actual
        ? differences(expected[name], actual[name], `${path}.${name}`)
        : [`${path}.${name}: is on the page, and did not come`],
    ),
    ...missing.map((name) => `${path}.${name}: came, and is not on the page`),
  ]
}

/** Compares lists. Pages of a crawl come in any order. */
function compareLists(expected: Json[], actual: Json, path: string): string[] {
  if (!Array.isArray(actual)) return [`${path}: the page shows a list, and ${excerpt(actual)} came`]
  const entries = expected.filter((entry) => entry !== more)
  if (entries.length === expected.length && entries.length !== actual.length)
    return [`${path}: the page shows ${entries.length} entries, and ${actual.length} came`]
  return entries.flatMap((entry, index) => {
    const attempts = actual.map((item) => differences(entry, item, `${path}[${index}]`))
    if (attempts.some((differencesOfItem) => differencesOfItem.length === 0)) return []
    return differences(entry, actual[index], `${path}[${index}]`)
  })
}

/** Returns the response for a page: the actual values, shortened to what the page shows now. */
export function shortenLike(expected: Json, actual: Json): Json {
  if (expected === more) return more
  if (Array.isArray(expected) && Array.isArray(actual))
    return expected.length === 0
      ? actual
      : expected.map((entry, index) => shortenLike(entry, actual[index] ?? entry))
  if (expected !== null && typeof expected === 'object' && actual !== null && typeof actual === 'object') {
    const names = more in expected ? Object.keys(expected) : Object.keys(actual)
    return Object.fromEntries(
      names.map((name) => [
        name,
        name === more ? more : name in expected ? shortenLike(expected[name], actual[name]) : actual[name],
      ]),
    )
  }
  return differences(expected, actual).length === 0 ? expected : actual
}
