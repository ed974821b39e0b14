import type { Json } from '../api.ts'

/** In an answer that a page shows: there is more of it than is shown. */
export const more = '…'

/** What is another one in each run, by what it looks like. */
const changing: [string, RegExp][] = [
  ['id', /^(?:[a-z]+_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/],
  ['time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ['address with a token', /^(?:https?|wss?):\/\/\S*(?:token|signature|sig)=\S+$/],
  ['address with an id', /^https?:\/\/\S*[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\S*$/],
]
/** Numbers that depend on the machine. */
const measured = /(?:Ms|InQueue|creditsBilled)$/

/** Differences between the answer that a page shows and the one that came, each with its place. */
export function differences(shown: Json, came: Json, place = 'answer'): string[] {
  if (shown === more) return []
  if (Array.isArray(shown)) return ofLists(shown, came, place)
  if (shown !== null && typeof shown === 'object') return ofObjects(shown, came, place)
  if (typeof shown === 'number' && typeof came === 'number' && measured.test(place)) return []
  if (typeof shown === 'string' && typeof came === 'string') return ofTexts(shown, came, place)
  return shown === came ? [] : [`${place}: the page shows ${told(shown)}, and ${told(came)} came`]
}

const told = (value: Json) => JSON.stringify(value)?.slice(0, 300)

/** A text that ends with the sign is the beginning of the one that came. */
function ofTexts(shown: string, came: string, place: string): string[] {
  const kind = changing.find(([, pattern]) => pattern.test(shown))
  const isSame = kind
    ? kind[1].test(came)
    : shown.endsWith(more)
      ? came.startsWith(shown.slice(0, -more.length))
      : shown === came
  return isSame ? [] : [`${place}: the page shows ${told(shown)}, and ${told(came)} came`]
}

function ofObjects(shown: Json, came: Json, place: string): string[] {
  if (came === null || typeof came !== 'object' || Array.isArray(came))
    return [`${place}: the page shows an object, and ${told(came)} came`]
  const isCut = more in shown
  const names = Object.keys(shown).filter((name) => name !== more)
  const unshown = isCut ? [] : Object.keys(came).filter((name) => !(name in shown))
  return [
    ...names.flatMap((name) =>
      name in came
        ? differences(shown[name], came[name], `${place}.${name}`)
        : [`${place}.${name}: is on the page, and did not come`],
    ),
    ...unshown.map((name) => `${place}.${name}: came, and is not on the page`),
  ]
}

/** Pages of a crawl come in any order. */
function ofLists(shown: Json[], came: Json, place: string): string[] {
  if (!Array.isArray(came)) return [`${place}: the page shows a list, and ${told(came)} came`]
  const entries = shown.filter((entry) => entry !== more)
  if (entries.length === shown.length && entries.length !== came.length)
    return [`${place}: the page shows ${entries.length} entries, and ${came.length} came`]
  return entries.flatMap((entry, at) => {
    const tried = came.map((one) => differences(entry, one, `${place}[${at}]`))
    if (tried.some((found) => found.length === 0)) return []
    return differences(entry, came[at], `${place}[${at}]`)
  })
}

/** The answer as a page shows it: what came, with as much of it as the page shows now. */
export function asShown(shown: Json, came: Json): Json {
  if (shown === more) return more
  if (Array.isArray(shown) && Array.isArray(came))
    return shown.length === 0 ? came : shown.map((entry, at) => asShown(entry, came[at] ?? entry))
  if (shown !== null && typeof shown === 'object' && came !== null && typeof came === 'object') {
    const names = more in shown ? Object.keys(shown) : Object.keys(came)
    return Object.fromEntries(
      names.map((name) => [
        name,
        name === more ? more : name in shown ? asShown(shown[name], came[name]) : came[name],
      ]),
    )
  }
  return differences(shown, came).length === 0 ? shown : came
}
