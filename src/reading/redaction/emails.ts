import type { Found, RedactionMode } from './found.ts'

/** Mail addresses: what stands on both sides of an at sign. */
export function findEmails(text: string, mode: RedactionMode): Found[] {
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
    .map(({ 0: match, index }) => ({ start: index, end: index + match.length, entity: 'EMAIL' }))
}
