/** What a prompt holds that only the sites of the task may learn, and no log: passwords, codes, mail addresses, card numbers. */
export interface Secrets {
  isIn(text: string): boolean
  hide(text: string): string
  /** Something that was typed into a field for passwords. */
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
/** A word of letters, digits and more that nobody would write otherwise. */
const odd = /(?<=^|[\s"'`:=])(?=\S*[a-z])(?=\S*[A-Z!#$%^&*+?~])(?=\S*\d)(?!https?:)[^\s"'`/]{8,}/g

export function secretsIn(prompt: string): Secrets {
  const found = new Set<string>()
  const add = (text: string) => {
    const bare = text.replace(/^["'`(]+|["'`).,;!?]+$/g, '')
    // Shorter ones stand in ordinary words, and hiding them would make the text unreadable.
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
