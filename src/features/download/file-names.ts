/** Names of systems that cannot be names of files there. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i
/** Control characters, marks that change the direction of what follows, and what separates or expands names. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}<>:"/\\|?*%~$`]+/gu
/** Longer names are hard to read, and some systems take no long paths. */
const mostCharacters = 80
/** File systems take 255 bytes, of which the ending, a number and a mark of ours need some. */
const mostBytes = 255 - 32
const mostParts = 12

/** Names of files for pages, by their addresses: safe on any system, and no two alike. */
export function fileNames(ending: string): (url: string) => string {
  const used = new Set<string>()
  /** Where the search for a free number goes on: from 1 every time, ten thousand equal names would take half a minute. */
  const nextNumbers = new Map<string, number>()
  return (url) => {
    const name = nameOf(url, ending)
    const nameKey = keyOf(name)
    for (let number = nextNumbers.get(nameKey) ?? 1; ; number += 1) {
      const numbered = number === 1 ? `${name}${ending}` : `${name}-${number}${ending}`
      const key = keyOf(numbered)
      if (used.has(key)) continue
      used.add(key)
      nextNumbers.set(nameKey, number + 1)
      return numbered
    }
  }
}

/** Some systems take upper and lower case for the same. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()

function nameOf(address: string, ending: string): string {
  const url = URL.parse(address)
  if (!url) return 'page'
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const query = url.search === '' ? '' : `-${url.search.slice(1)}`
  const last = `${parts.pop() ?? 'index'}${query}${url.hash.replace('#', '-')}`
  const folders = [url.host, ...parts].slice(0, mostParts - 1).map((part) => safePart(part))
  // A folder must not have the name that a file may have.
  const apart = folders.map((part) => (part.toLowerCase().endsWith(ending) ? `${part}_` : part))
  return [...apart, withoutEnding(safePart(last), ending)].join('/')
}

const withoutEnding = (name: string, ending: string) =>
  name.toLowerCase().endsWith(ending) && name.length > ending.length ? name.slice(0, -ending.length) : name

function safePart(part: string): string {
  const safe = beginning(decoded(part).normalize('NFC').replaceAll(unsafe, '-'))
    // Dots at the start hide a file or lead upwards; at the end some systems drop them.
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
  if (safe === '') return '_'
  return reserved.test(safe) ? `_${safe}` : safe
}

/** As much as a name may have, of whole characters. */
function beginning(text: string): string {
  let bytes = 0
  const kept: string[] = []
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > mostBytes || kept.length >= mostCharacters) break
    kept.push(character)
  }
  return kept.join('')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
