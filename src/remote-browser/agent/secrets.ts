/** The secrets of a prompt, for the sites of the task only and never for a log: passwords, codes, mail addresses, card numbers. */
export interface Secrets {
  isIn(text: string): boolean
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
const mail = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+\.[a-z]{2,}/gi
const card = /\b\d(?:[ -]?\d){11,18}\b/g
/** A word that mixes letters, digits and symbols. */
const odd = /(?<=^|[\s"'`:=])(?=\S*[a-z])(?=\S*[A-Z!#$%^&*+?~])(?=\S*\d)(?!https?:)[^\s"'`/]{8,}/g

export function secretsIn(prompt: string): Secrets {
  const found = new Set<string>()
  const add = (text: string) => {
    const bare = text.replace(/^["'`(]+|["'`).,;!?]+$/g, '')
    // Shorter ones occur in ordinary words, and redacting them would make the text unreadable.
    if (bare.length >= 4) found.add(bare)
  }
  for (const pattern of [told, following])
    for (const [, ...groups] of prompt.matchAll(pattern))
      add(groups.find((group) => group !== undefined) ?? '')
  for (const pattern of [mail, card, odd]) for (const [text] of prompt.matchAll(pattern)) add(text)
  return {
    isIn: (text) => [...found].some((secret) => text.includes(secret)),
    hide: (text) => [...found].reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text),
    add,
  }
}
