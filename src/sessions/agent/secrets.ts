/** The secrets of a prompt, for the sites of the task only and never for a log: passwords, codes, mail addresses, card numbers. */
export interface Secrets {
  isIn(text: string): boolean
  /** As `isIn`, without words that only look like a password: names of products do, too. */
  isSurelyIn(text: string): boolean
  hide(text: string): string
  /** Text that was typed into a password field. */
  add(text: string): void
}

const password = '(?:pass(?:word|code|phrase)|passwort|kennwort|contraseña|mot de passe)'
const code = '(?:pin|otp|tan|code|token|secret|api[ -]?key)'
const value = String.raw`(?:"([^"\n]{3,})"|'([^'\n]{3,})'|\x60([^\x60\n]{3,})\x60|(\S{3,}))`
/** "the password is x", "PIN: 1234". */
const told = new RegExp(
  String.raw`\b(?:${password}|${code})(?:\s+(?:is|ist|es|est)\s+|\s*[:=]\s*)${value}`,
  'giu',
)
/** "password hunter2", but not "password reset". */
const following = new RegExp(String.raw`\b${password}\s+(?:(?=["'\x60]|\S*[\d!#$%&*+?^~@_])${value})`, 'giu')
const card = /\b\d(?:[ -]?\d){11,18}\b/g
export function secretsIn(prompt: string): Secrets {
  const found = new Set<string>()
  const add = (text: string) => {
    const bare = withoutPunctuation(text)
    // Shorter ones occur in ordinary words, and redacting them would make the text unreadable.
    if (bare.length >= 4) found.add(bare)
  }
  for (const pattern of [told, following])
    for (const [, ...groups] of prompt.matchAll(pattern))
      add(groups.find((group) => group !== undefined) ?? '')
  for (const [text] of prompt.matchAll(card)) add(text)
  for (const text of mailAddresses(prompt)) add(text)
  const sure = [...found]
  for (const text of mixedWords(prompt)) add(text)
  return {
    isIn: (text) => [...found].some((secret) => text.includes(secret)),
    isSurelyIn: (text) => sure.some((secret) => text.includes(secret)),
    hide: (text) => [...found].reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text),
    add,
  }
}

/** Code instead of one expression: an expression would try every `@` with every dot, from every character. */
function* mailAddresses(prompt: string): Generator<string> {
  for (const [run] of prompt.matchAll(/[^\s<>"'(),;:]+/g)) {
    const domainEnds = [...run.matchAll(/\.[a-z]{2,}/gi)]
    const last = domainEnds.at(-1)
    const at = run.indexOf('@', 1)
    if (last && at !== -1 && at + 2 <= last.index) yield run.slice(0, last.index + last[0].length)
  }
}

const canPrecede = new Set(['"', "'", '`', ':', '='])

/** Words of at least 8 characters that mix small letters, digits, and capital letters or symbols. */
function* mixedWords(prompt: string): Generator<string> {
  for (const [run] of prompt.matchAll(/\S+/g)) {
    const lastOfAll = Math.min(...[lowerCase, upperCaseOrSymbol, digit].map((kind) => lastIndexOf(run, kind)))
    for (let start = 0; start <= lastOfAll; start += 1) {
      if (start > 0 && !canPrecede.has(run[start - 1] ?? '')) continue
      if (matchAt(/https?:/y, run, start).length > 0) continue
      const [word = ''] = matchAt(/[^"'`/]{8,}/y, run, start)
      if (word === '') continue
      yield word
      start += word.length - 1
    }
  }
}

const lowerCase = /[a-z]/
const upperCaseOrSymbol = /[A-Z!#$%^&*+?~]/
const digit = /\d/

function lastIndexOf(text: string, kind: RegExp): number {
  let index = text.length - 1
  while (index >= 0 && !kind.test(text[index] ?? '')) index -= 1
  return index
}

function matchAt(pattern: RegExp, text: string, start: number): string[] {
  pattern.lastIndex = start
  return pattern.exec(text) ?? []
}

function withoutPunctuation(text: string): string {
  const isIn = (characters: string, index: number) => characters.includes(text[index] ?? '\n')
  let start = 0
  let end = text.length
  while (start < end && isIn('"\'`(', start)) start += 1
  while (end > start && isIn('"\'`).,;!?', end - 1)) end -= 1
  return text.slice(start, end)
}
