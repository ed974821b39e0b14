import type { Found } from './found.ts'

const part = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const v4 = new RegExp(String.raw`(?<![\w.])(?:${part}\.){3}${part}(?![\w]|\.\d)`, 'g')
const v6 = /(?<![\w:.])(?=[\da-f:]{0,4}:)[\da-f:]{2,39}(?:(?<=:)(?:\d{1,3}\.){3}\d{1,3})?(?![\w:])/gi
const hardware =
  /(?<![\w:-])(?:[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}|(?:[\da-f]{4}\.){2}[\da-f]{4})(?![\w:-])/gi

/** Addresses of machines on a network. */
export function findMachines(text: string): Found[] {
  const found = (matches: Iterable<RegExpExecArray>): Found[] =>
    [...matches].map(({ 0: match, index }) => ({
      start: index,
      end: index + match.length,
      entity: 'LOCATION',
    }))
  return [
    ...found([...text.matchAll(v4)].filter((match) => !isVersion(text, match) && !isOwn(match[0]))),
    ...found([...text.matchAll(v6)].filter(([match]) => isWide(match))),
    ...found(text.matchAll(hardware)),
  ]
}

/** Four numbers are a version as often as an address, and then a word says so. */
function isVersion(text: string, { index }: RegExpExecArray): boolean {
  return /(?:\bv|version|release|build|firmware|driver)[\s:]{0,3}$/i.test(
    text.slice(Math.max(0, index - 20), index),
  )
}

/** Addresses that every machine has for itself, and that of none. */
const isOwn = (address: string) => address.startsWith('127.') || address === '0.0.0.0'

/** Short ones, such as `::1` or the time `1::2`, name no machine of anybody. */
const isWide = (address: string) => address.length > 6 && URL.canParse(`http://[${address}]/`)
