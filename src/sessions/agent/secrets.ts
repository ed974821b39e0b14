export type Secrets = ReturnType<typeof findSecrets>

const password = '(?:pass(?:word|code|phrase)|passwort|kennwort|contraseña|mot de passe)'
const code = '(?:pin|otp|tan|code|token|secret|api[ -]?key)'
const value = String.raw`(?:"([^"\n]{3,})"|'([^'\n]{3,})'|\x60([^\x60\n]{3,})\x60|(\S{3,}))`
/** Matches "the password is x" and "PIN: 1234". */
const labelledSecret = new RegExp(
  String.raw`\b(?:${password}|${code})(?:\s+(?:is|ist|es|est)\s+|\s*[:=]\s*)${value}`,
  'giu',
)
/** Matches "password hunter2", but not "password reset". */
const secretAfterPassword = new RegExp(
  String.raw`\b${password}\s+(?:(?=["'\x60]|\S*[\d!#$%&*+?^~@_])${value})`,
  'giu',
)
const cardNumber = /\b\d(?:[ -]?\d){11,18}\b/g

/** Finds secrets, which may only be sent to the sites of the task, and never be logged. */
export function findSecrets(prompt: string) {
  const found = new Set<string>()
  const add = (text: string) => {
    const trimmed = withoutPunctuation(text)
    // Shorter texts occur in ordinary words, and redacting them would make the text unreadable.
    if (trimmed.length >= 4) found.add(trimmed)
  }
  for (const pattern of [labelledSecret, secretAfterPassword])
    for (const [, ...groups] of prompt.matchAll(pattern))
      add(groups.find((group) => group !== undefined) ?? '')
  for (const [text] of prompt.matchAll(cardNumber)) add(text)
  for (const text of mailAddresses(prompt)) add(text)
  const certain = [...found]
  for (const text of mixedWords(prompt)) add(text)
  return {
    hasSecret: (text: string) => [...found].some((secret) => text.includes(secret)),
    /** Ignores words that only look like a password, such as product names. */
    hasCertainSecret: (text: string) => certain.some((secret) => text.includes(secret)),
    redact: (text: string) =>
      [...found].reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text),
    add,
  }
}

/** Finds mail addresses. A single regular expression would try every `@` with every dot, from every character. */
function* mailAddresses(prompt: string): Generator<string> {
  for (const [run] of prompt.matchAll(/[^\s<>"'(),;:]+/g)) {
    const domainEnds = [...run.matchAll(/\.[a-z]{2,}/gi)]
    const last = domainEnds.at(-1)
    const at = run.indexOf('@', 1)
    if (last && at !== -1 && at + 2 <= last.index) yield run.slice(0, last.index + last[0].length)
  }
}

const canPrecede = new Set(['"', "'", '`', ':', '='])

function* mixedWords(prompt: string): Generator<string> {
  for (const [run] of prompt.matchAll(/\S+/g)) {
    const lastStart = Math.min(...[lowerCase, upperCaseOrSymbol, digit].map((kind) => lastIndexOf(run, kind)))
    for (let start = 0; start <= lastStart; start += 1) {
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
