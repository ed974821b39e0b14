import { findCards, findIbans } from './accounts.ts'
import { findIdentityNumbers } from './identity-numbers.ts'
import {
  createUrlTest,
  type Entity,
  type Finder,
  hasWordBefore,
  type PiiMatch,
  type RedactionMode,
  toPiiMatch,
} from './pii-match.ts'
import { findSecrets } from './secrets.ts'

function findEmails(text: string, mode: RedactionMode): PiiMatch[] {
  const piiMatches: PiiMatch[] = []
  let lastEnd = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = findNameStart(text, at, lastEnd)
    const end = findDomainEnd(text, at + 1)
    if (start === at || end === -1 || isLogin(text, start)) continue
    if (programNames.has(text.slice(start, at).toLowerCase())) continue
    piiMatches.push({ start, end, entity: 'EMAIL' })
    lastEnd = end
  }
  if (mode === 'aggressive') piiMatches.push(...findSpelledOutEmails(text))
  return piiMatches
}

/** True if the name is a login before the host of a URL, which is not a mail address. */
const isLogin = (text: string, start: number) =>
  /:\/\/[^\s/@]*$/.test(text.slice(Math.max(0, start - 100), start))

const maxNameLength = 64
const maxDomainLength = 253

const nameCharacter = /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.\\-]/u
/** Characters that a name may contain but not begin with. At the start, they are punctuation or Markdown syntax. */
const notAtNameStart = /[!#$%&'*/=?^`{|}~.\\-]/
const programNames = new Set(['git', 'svn'])

function findNameStart(text: string, at: number, from: number): number {
  const minStart = Math.max(from, at - maxNameLength)
  let start = at
  while (start > minStart && nameCharacter.test(text.charAt(start - 1))) start -= 1
  // In a URL or a table cell, the name begins after the separator.
  for (let index = at - 1; index >= start; index -= 1)
    if (separators.test(text.charAt(index))) start = index + 1
  while (start < at && notAtNameStart.test(text.charAt(start))) start += 1
  return start
}

const separators = /[/=|?&]/

const domainCharacter = /[\p{L}\p{N}.-]/u
const topLevel = /^(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59}|\p{L}{2,24})$/iu
/** File extensions that follow an at sign, as in `lamp@2x.png`. */
const fileExtensions =
  /^(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|ts|json|html?|xml|ya?ml|md|txt|pdf|zip|gz|tgz)$/i

function findDomainEnd(text: string, from: number): number {
  let end = from
  const maxEnd = Math.min(text.length, from + maxDomainLength)
  while (end < maxEnd && domainCharacter.test(text.charAt(end))) end += 1
  while (end > from && /[.-]/.test(text.charAt(end - 1))) end -= 1
  const labels = text.slice(from, end).split('.')
  const last = labels.at(-1) ?? ''
  const isDomain = labels.length > 1 && labels.every((label) => label !== '') && topLevel.test(last)
  return isDomain && !fileExtensions.test(last) ? end : -1
}

const atPattern = String.raw`\s?(?:\[at\]|\(at\)|\{at\}|\sat\s)\s?`
const dotPattern = String.raw`\s?(?:\.|\[dot\]|\(dot\)|\{dot\}|\sdot\s)\s?`
const spelledOutEmail = new RegExp(
  String.raw`(?<![\w.+-])[\w.+-]{1,64}${atPattern}[\w-]{1,63}(?:${dotPattern}[\w-]{1,63}){0,4}${dotPattern}[a-z]{2,10}(?![\w-])`,
  'gi',
)

function findSpelledOutEmails(text: string): PiiMatch[] {
  const isSpelledOut = ([match]: RegExpExecArray) => /[[({]at[\])}]|\sdot\s|[[({]dot/i.test(match)
  return [...text.matchAll(spelledOutEmail)].filter(isSpelledOut).map((match) => toPiiMatch(match, 'EMAIL'))
}

const phonePattern = /(?<![\w.,:/+-])(?:\+|\(\+?)?\d(?:[ \u00a0\u2011.\-/()]{0,2}\d)+(?![\w]|[.,:/-]\d)/g

const phoneWords =
  /(?:\b(?:tel|tél|phone|mobile?|mobil|m[oó]vil|cel|cell|celular|call|whatsapp|handy|hotline|sms|fax|dial)\b|telef\p{L}*|t[ée]l[ée]ph\p{L}*|textphone|rufnummer|тел|факс|电话|電話|手机|☎|📞|📱|\b[tmpf]\.?:)[^\d\n]{0,20}$/iu

function findPhones(text: string, mode: RedactionMode): PiiMatch[] {
  const isInUrl = createUrlTest(text)
  const piiMatches: PiiMatch[] = []
  for (const { 0: match, index } of text.matchAll(phonePattern)) {
    if (match.length > maxPhoneLength || isInUrl(index)) continue
    const isLinked = text.slice(Math.max(0, index - 4), index).toLowerCase() === 'tel:'
    const isCertain = isLinked || isInternational(match) || isAmerican(match)
    if (isCertain || (mode !== 'fast' && isLikely(text, index, match, mode)))
      piiMatches.push({ start: index, end: index + match.length, entity: 'PHONE' })
  }
  return [...piiMatches, ...[...text.matchAll(linkedPhone)].map((match) => toPiiMatch(match, 'PHONE'))]
}

const maxPhoneLength = 30

/** In links, the digits follow the scheme without spaces. */
const linkedPhone = /(?<=\b(?:tel|sms|callto):|wa\.me\/)\+?[\d().-]{5,24}(?<=\d)/gi

const getDigits = (match: string) => match.replace(/\D/g, '')

function isInternational(match: string): boolean {
  const { length } = getDigits(match)
  return /^\(?\+[1-9]/.test(match) && length >= 8 && length <= 15
}

/** True for three, three and four digits, as in North America. */
const isAmerican = (match: string) =>
  /^(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{4}$/.test(match)

/** A number with a leading zero in common groups, or after a word such as "phone". */
function isLikely(text: string, at: number, match: string, mode: RedactionMode): boolean {
  const digits = getDigits(match)
  if (isDate(match) || isAmount(match) || digits.length < 6 || digits.length > 15) return false
  if (hasWordBefore(text, at, phoneWords)) return true
  const isGrouped = /^\(?0\d{1,5}\)?[ /-]\(?\d/.test(match) && digits.length >= 9 && digits.length <= 12
  const isInPairs = /^0\d(?:[ .-]\d\d){4}$/.test(match)
  if (isInPairs || (isGrouped && !/\.\d/.test(match))) return true
  const groups = match.split(/\D+/).filter((group) => group !== '')
  return mode === 'aggressive' && digits.length >= 7 && groups.length > 1 && !/^97[89]/.test(digits)
}

const isDate = (match: string) =>
  /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?: \d{1,2})?$/.test(match) ||
  /^(?:19|20)\d\d[ /-](?:19|20)\d\d$/.test(match)

const isAmount = (match: string) => /^[1-9]\d{0,2}(?:[. \u00a0]\d{3})+$/.test(match)

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const ipv4 = new RegExp(String.raw`(?<![\w.])(?:${octet}\.){3}${octet}(?![\w]|\.\d)`, 'g')
const ipv6 = /(?<![\w:.])(?=[\da-f:]{0,4}:)[\da-f:]{2,39}(?:(?<=:)(?:\d{1,3}\.){3}\d{1,3})?(?![\w:])/gi
const macAddress =
  /(?<![\w:-])(?:[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}|(?:[\da-f]{4}\.){2}[\da-f]{4})(?![\w:-])/gi

function findNetworkAddresses(text: string): PiiMatch[] {
  return [
    ...[...text.matchAll(ipv4)].filter((match) => !isVersion(text, match) && !isLocalAddress(match[0])),
    ...[...text.matchAll(ipv6)].filter(([match]) => isFullAddress(match)),
    ...text.matchAll(macAddress),
  ].map((match) => toPiiMatch(match, 'LOCATION'))
}

/** A version of four numbers has the format of an IP address. */
function isVersion(text: string, { index }: RegExpExecArray): boolean {
  const before = text.slice(Math.max(0, index - 20), index)
  return /(?:\bv|version|release|build|firmware|driver)[\s:]{0,3}$/i.test(before)
}

const isLocalAddress = (address: string) => address.startsWith('127.') || address === '0.0.0.0'

/** A short IPv6 address, such as `::1`, does not identify a host. */
const isFullAddress = (address: string) => address.length > 6 && URL.canParse(`http://[${address}]/`)

/** Replacements of a match: the name of its kind, a `█` for each character, or an empty text. */
export const replaceStyles = ['tag', 'mask', 'remove'] as const
export type ReplaceStyle = (typeof replaceStyles)[number]

export interface Redaction {
  mode: RedactionMode
  entities: readonly Entity[]
  replaceStyle: ReplaceStyle
}

export interface RedactedText {
  text: string
  /** In order: offsets in the original text, and the length of the replacement. */
  replaced: { start: number; end: number; length: number }[]
}

/** Finders in order of trust. Overlapping matches are merged and get the kind of the earlier finder. */
const finders: { entity: Entity; find: Finder }[] = [
  { entity: 'SECRET', find: findSecrets },
  { entity: 'EMAIL', find: findEmails },
  { entity: 'FINANCIAL', find: findIbans },
  { entity: 'FINANCIAL', find: findCards },
  { entity: 'FINANCIAL', find: findIdentityNumbers },
  { entity: 'LOCATION', find: findNetworkAddresses },
  { entity: 'PHONE', find: findPhones },
]

export function redact(text: string, { mode, entities, replaceStyle }: Redaction): RedactedText {
  const found = finders
    .filter(({ entity }) => entities.includes(entity))
    .flatMap(({ find }, rank) => find(text, mode).map((match) => ({ ...match, rank })))
  const parts: string[] = []
  const replaced: RedactedText['replaced'] = []
  let at = 0
  for (const match of mergeOverlaps(found)) {
    const replacementText = replacement(match, replaceStyle)
    const isBetweenSpaces = replacementText === '' && text[match.start - 1] === ' ' && text[match.end] === ' '
    const start = isBetweenSpaces && match.start > at ? match.start - 1 : match.start
    parts.push(text.slice(at, start), replacementText)
    replaced.push({ start, end: match.end, length: replacementText.length })
    at = match.end
  }
  parts.push(text.slice(at))
  return { text: parts.join(''), replaced }
}

function replacement({ start, end, entity }: PiiMatch, style: ReplaceStyle): string {
  // Asterisks would be read as Markdown formatting.
  return style === 'tag' ? `<${entity}>` : style === 'mask' ? '█'.repeat(end - start) : ''
}

/** Merged matches get the kind of the lowest rank, which is the most trusted, then of the longest match. */
function mergeOverlaps(piiMatches: (PiiMatch & { rank: number })[]): PiiMatch[] {
  const sorted = piiMatches.sort(
    (one, other) => one.start - other.start || one.rank - other.rank || other.end - one.end,
  )
  const merged: (PiiMatch & { rank: number })[] = []
  for (const match of sorted) {
    const last = merged.at(-1)
    if (!last || match.start >= last.end) merged.push(match)
    else if (match.rank < last.rank)
      merged[merged.length - 1] = { ...match, start: last.start, end: Math.max(match.end, last.end) }
    else last.end = Math.max(last.end, match.end)
  }
  return merged
}

/** Converts positions, in ascending order, to the new text. One inside replaced text moves to its start. */
export function shiftPositions<Position extends { at: number }>(
  positions: readonly Position[],
  replaced: RedactedText['replaced'],
): Position[] {
  let [next, shift] = [0, 0]
  return positions.map((position) => {
    for (let range = replaced[next]; range && range.end <= position.at; range = replaced[next]) {
      shift += range.length - (range.end - range.start)
      next += 1
    }
    return { ...position, at: Math.min(position.at, replaced[next]?.start ?? position.at) + shift }
  })
}
