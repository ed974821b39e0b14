import { findCards, findIbans } from './accounts.ts'
import { findIdentityNumbers } from './identity-numbers.ts'
import {
  addressesIn,
  type Entity,
  type Finder,
  type Found,
  foundAt,
  isNamed,
  type RedactionMode,
} from './pii-match.ts'
import { findSecrets } from './secrets.ts'

/** Mail addresses: what stands on both sides of an at sign. */
function findEmails(text: string, mode: RedactionMode): Found[] {
  const found: Found[] = []
  let last = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = nameStart(text, at, last)
    const end = domainEnd(text, at + 1)
    if (start === at || end === -1 || isLogin(text, start)) continue
    if (notPersonal.has(text.slice(start, at).toLowerCase())) continue
    found.push({ start, end, entity: 'EMAIL' })
    last = end
  }
  if (mode === 'aggressive') found.push(...spelledOut(text))
  return found
}

/** Before the host of an address stands who logs in there, and that is no mail address. */
const isLogin = (text: string, start: number) =>
  /:\/\/[^\s/@]*$/.test(text.slice(Math.max(0, start - 100), start))

/** The length that a name and a domain may have. */
const longestName = 64
const longestDomain = 253

const inName = /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.\\-]/u
/** Signs that may stand in a name, and never do at its beginning: rather those of a sentence or of Markdown. */
const notAtStart = /[!#$%&'*/=?^`{|}~.\\-]/
/** How programs call themselves, and not people. */
const notPersonal = new Set(['git', 'svn'])

function nameStart(text: string, at: number, from: number): number {
  const least = Math.max(from, at - longestName)
  let start = at
  while (start > least && inName.test(text.charAt(start - 1))) start -= 1
  // In the address of a page or a cell of a table the name begins behind what divides it from the rest.
  for (let sign = at - 1; sign >= start; sign -= 1) if (dividing.test(text.charAt(sign))) start = sign + 1
  while (start < at && notAtStart.test(text.charAt(start))) start += 1
  return start
}

const dividing = /[/=|?&]/

const inDomain = /[\p{L}\p{N}.-]/u
const topLevel = /^(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59}|\p{L}{2,24})$/iu
/** Endings of files that stand behind an at sign, as in `lamp@2x.png`. */
const files = /^(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|ts|json|html?|xml|ya?ml|md|txt|pdf|zip|gz|tgz)$/i

function domainEnd(text: string, from: number): number {
  let end = from
  const most = Math.min(text.length, from + longestDomain)
  while (end < most && inDomain.test(text.charAt(end))) end += 1
  while (end > from && /[.-]/.test(text.charAt(end - 1))) end -= 1
  const labels = text.slice(from, end).split('.')
  const last = labels.at(-1) ?? ''
  const isDomain = labels.length > 1 && labels.every((label) => label !== '') && topLevel.test(last)
  return isDomain && !files.test(last) ? end : -1
}

const at = String.raw`\s?(?:\[at\]|\(at\)|\{at\}|\sat\s)\s?`
const dot = String.raw`\s?(?:\.|\[dot\]|\(dot\)|\{dot\}|\sdot\s)\s?`
const spelled = new RegExp(
  String.raw`(?<![\w.+-])[\w.+-]{1,64}${at}[\w-]{1,63}(?:${dot}[\w-]{1,63}){0,4}${dot}[a-z]{2,10}(?![\w-])`,
  'gi',
)

/** As people write them who hide from programs: `name [at] host dot org`. */
function spelledOut(text: string): Found[] {
  return [...text.matchAll(spelled)]
    .filter(([match]) => /[[({]at[\])}]|\sdot\s|[[({]dot/i.test(match))
    .map((match) => foundAt(match, 'EMAIL'))
}

/** Digits in groups, with what people put between them; a plus sign or a bracket before them. */
const candidate = /(?<![\w.,:/+-])(?:\+|\(\+?)?\d(?:[ \u00a0\u2011.\-/()]{0,2}\d)+(?![\w]|[.,:/-]\d)/g

const words =
  /(?:\b(?:tel|tél|phone|mobile?|mobil|m[oó]vil|cel|cell|celular|call|whatsapp|handy|hotline|sms|fax|dial)\b|telef\p{L}*|t[ée]l[ée]ph\p{L}*|textphone|rufnummer|тел|факс|电话|電話|手机|☎|📞|📱|\b[tmpf]\.?:)[^\d\n]{0,20}$/iu

/** Numbers of telephones, by the ways in which they are written. */
function findPhones(text: string, mode: RedactionMode): Found[] {
  const isInAddress = addressesIn(text)
  const found: Found[] = []
  for (const { 0: match, index } of text.matchAll(candidate)) {
    if (match.length > longest || isInAddress(index)) continue
    const isLinked = text.slice(Math.max(0, index - 4), index).toLowerCase() === 'tel:'
    const isSure = isLinked || isInternational(match) || isAmerican(match)
    const isOne = isSure || (mode !== 'fast' && isLikely(text, index, match, mode))
    if (isOne) found.push({ start: index, end: index + match.length, entity: 'PHONE' })
  }
  return [...found, ...linked(text)]
}

/** With all its signs. */
const longest = 30

/** In a link the digits stand behind its scheme, in one piece. */
function linked(text: string): Found[] {
  const pattern = /(?<=\b(?:tel|sms|callto):|wa\.me\/)\+?[\d().-]{5,24}(?<=\d)/gi
  return [...text.matchAll(pattern)].map((match) => foundAt(match, 'PHONE'))
}

const digitsOf = (match: string) => match.replace(/\D/g, '')

function isInternational(match: string): boolean {
  const { length } = digitsOf(match)
  return /^\(?\+[1-9]/.test(match) && length >= 8 && length <= 15
}

/** Three, three and four digits, as in North America. */
const isAmerican = (match: string) =>
  /^(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{4}$/.test(match)

/** With the zero before an area: groups as they are usual, or a word before it. */
function isLikely(text: string, at: number, match: string, mode: RedactionMode): boolean {
  const digits = digitsOf(match)
  if (isDate(match) || isAmount(match) || digits.length < 6 || digits.length > 15) return false
  if (isNamed(text, at, words)) return true
  const isGrouped = /^\(?0\d{1,5}\)?[ /-]\(?\d/.test(match) && digits.length >= 9 && digits.length <= 12
  const isInPairs = /^0\d(?:[ .-]\d\d){4}$/.test(match)
  if (isInPairs || (isGrouped && !/\.\d/.test(match))) return true
  const groups = match.split(/\D+/).filter((group) => group !== '')
  return mode === 'aggressive' && digits.length >= 7 && groups.length > 1 && !/^97[89]/.test(digits)
}

const isDate = (match: string) =>
  /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?: \d{1,2})?$/.test(match) ||
  /^(?:19|20)\d\d[ /-](?:19|20)\d\d$/.test(match)

/** A large number with its thousands apart. */
const isAmount = (match: string) => /^[1-9]\d{0,2}(?:[. \u00a0]\d{3})+$/.test(match)

const part = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const v4 = new RegExp(String.raw`(?<![\w.])(?:${part}\.){3}${part}(?![\w]|\.\d)`, 'g')
const v6 = /(?<![\w:.])(?=[\da-f:]{0,4}:)[\da-f:]{2,39}(?:(?<=:)(?:\d{1,3}\.){3}\d{1,3})?(?![\w:])/gi
const hardware =
  /(?<![\w:-])(?:[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}|(?:[\da-f]{4}\.){2}[\da-f]{4})(?![\w:-])/gi

/** Addresses of machines on a network. */
function findMachines(text: string): Found[] {
  return [
    ...[...text.matchAll(v4)].filter((match) => !isVersion(text, match) && !isOwn(match[0])),
    ...[...text.matchAll(v6)].filter(([match]) => isWide(match)),
    ...text.matchAll(hardware),
  ].map((match) => foundAt(match, 'LOCATION'))
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

/** What a found place is replaced by: the name of its kind, as many blocks as it had characters, or nothing. */
export const replaceStyles = ['tag', 'mask', 'remove'] as const
export type ReplaceStyle = (typeof replaceStyles)[number]

export interface Redaction {
  mode: RedactionMode
  entities: readonly Entity[]
  replaceStyle: ReplaceStyle
}

export interface Redacted {
  text: string
  /** What was replaced, in order: its place in the text before, and how long what stands there now is. */
  replaced: { start: number; end: number; length: number }[]
}

/** In the order of trust: of two that meet, the first is taken. */
const finders: { entities: readonly Entity[]; find: Finder }[] = [
  { entities: ['SECRET'], find: findSecrets },
  { entities: ['EMAIL'], find: findEmails },
  { entities: ['FINANCIAL'], find: findIbans },
  { entities: ['FINANCIAL'], find: findCards },
  { entities: ['FINANCIAL'], find: findIdentityNumbers },
  { entities: ['LOCATION'], find: findMachines },
  { entities: ['PHONE'], find: findPhones },
]

/** A text without the personal data that patterns and checksums find. In linear time. */
export function redact(text: string, { mode, entities, replaceStyle }: Redaction): Redacted {
  const found = finders
    .filter((finder) => finder.entities.some((entity) => entities.includes(entity)))
    .flatMap(({ find }, trust) => find(text, mode).map((one) => ({ ...one, trust })))
  const parts: string[] = []
  const replaced: Redacted['replaced'] = []
  let at = 0
  for (const one of withoutOverlaps(found)) {
    const instead = replacement(one, replaceStyle)
    const isBetweenSpaces = instead === '' && text[one.start - 1] === ' ' && text[one.end] === ' '
    const start = isBetweenSpaces && one.start > at ? one.start - 1 : one.start
    parts.push(text.slice(at, start), instead)
    replaced.push({ start, end: one.end, length: instead.length })
    at = one.end
  }
  parts.push(text.slice(at))
  return { text: parts.join(''), replaced }
}

function replacement({ start, end, entity }: Found, style: ReplaceStyle): string {
  // Stars would be read as marks of Markdown.
  return style === 'tag' ? `<${entity}>` : style === 'mask' ? '█'.repeat(end - start) : ''
}

/** In order; of places that meet, the one that is trusted most, then the longest. */
function withoutOverlaps(found: (Found & { trust: number })[]): Found[] {
  const byTrust = found.sort(
    (one, other) => one.start - other.start || one.trust - other.trust || other.end - one.end,
  )
  const kept: (Found & { trust: number })[] = []
  for (const one of byTrust) {
    const last = kept.at(-1)
    if (!last || one.start >= last.end) kept.push(one)
    else if (one.trust < last.trust)
      kept[kept.length - 1] = { ...one, start: last.start, end: Math.max(one.end, last.end) }
    else last.end = Math.max(last.end, one.end)
  }
  return kept
}

/** Where positions in the text before are now, in order; one inside what was replaced moves to its beginning. */
export function movedPositions<Position extends { at: number }>(
  positions: readonly Position[],
  replaced: Redacted['replaced'],
): Position[] {
  let [next, shift] = [0, 0]
  return positions.map((position) => {
    for (let one = replaced[next]; one && one.end <= position.at; one = replaced[next]) {
      shift += one.length - (one.end - one.start)
      next += 1
    }
    return { ...position, at: Math.min(position.at, replaced[next]?.start ?? position.at) + shift }
  })
}
