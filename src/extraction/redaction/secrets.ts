import type { PiiMatch, RedactionMode } from './pii-match.ts'

/** Keys and tokens by provider. A match must begin at the start of a word, so each word is scanned once. */
const formats = [
  '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])',
  'gh[pousr]_[A-Za-z0-9]{36,255}',
  'github_pat_[A-Za-z0-9_]{40,255}',
  'gl(?:pat|dt|rt|ptt|cbt|ft|soat)-[A-Za-z0-9_.-]{20,255}',
  // Slack, Discord, Telegram.
  'xox[abeoprs]-[A-Za-z0-9-]{10,255}',
  'xapp-\\d-[A-Za-z0-9-]{10,255}',
  '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}',
  '\\d{8,10}:AA[A-Za-z0-9_-]{32,34}',
  // Stripe, Square, Shopify, SendGrid, Mailgun, Twilio, Mailchimp.
  '[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}',
  'whsec_[A-Za-z0-9]{24,255}',
  'sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
  'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}',
  'key-[a-f0-9]{32}',
  '(?:SK|AC)[a-f0-9]{32}',
  '[a-f0-9]{32}-us\\d{1,2}',
  'AIza[A-Za-z0-9_-]{35}',
  'ya29\\.[A-Za-z0-9_-]{20,1000}',
  'GOCSPX-[A-Za-z0-9_-]{20,40}',
  'sk-(?:ant-|proj-|svcacct-|admin-|or-)?[A-Za-z0-9_-]{20,255}',
  '(?:hf|r8|gsk|pplx|nvapi|fc|tvly|xai)[_-][A-Za-z0-9_-]{30,255}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-AgEI[A-Za-z0-9_-]{50,1000}',
  'do[opr]_v1_[a-f0-9]{64}',
  'dckr_pat_[A-Za-z0-9_-]{20,100}',
  'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{0,}',
]
const knownSecret = new RegExp(`(?<![A-Za-z0-9_-])(?:${formats.join('|')})(?![A-Za-z0-9_-])`, 'g')

/** The group is the secret. */
const namedSecrets = [
  /aws_?secret_?access_?key\W{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi,
  /AccountKey=([A-Za-z0-9+/]{86}==)/g,
  /:\/\/([^\s:/@[\]()]{1,100}:[^\s:/@[\]()]{1,200})@/g,
  /hooks\.slack\.com\/services\/(T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{20,30})/g,
]

const possibleSecret =
  /(?:passw(?:or)?d|passwort|contraseña|mot de passe|secret|api[_ -]?key|access[_ -]?token|auth[_ -]?token)["']?\s?[:=]\s?["'`]{0,2}([^\s"'`<>,;()[\]]{8,200})/gi

export function findSecrets(text: string, mode: RedactionMode): PiiMatch[] {
  const piiMatches: PiiMatch[] = []
  const add = (start: number, end: number) => piiMatches.push({ start, end, entity: 'SECRET' })
  for (const { 0: match, index } of text.matchAll(knownSecret)) add(index, index + match.length)
  for (const pattern of mode === 'aggressive' ? [...namedSecrets, possibleSecret] : namedSecrets) {
    for (const { 0: match, 1: secret = '', index } of text.matchAll(pattern)) {
      const start = index + match.lastIndexOf(secret)
      if (pattern !== possibleSecret || /[\d\W_]/.test(secret)) add(start, start + secret.length)
    }
  }
  for (const { start, end } of findPrivateKeys(text)) add(start, end)
  return piiMatches
}

const keyBegin = '-----BEGIN '
const keyName = /^-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/
/** A longer block is not a key, or has no end marker. */
const maxKeyLength = 20_000

/** A block without an end marker ends before the first line that does not look like a key. */
function* findPrivateKeys(text: string): Generator<{ start: number; end: number }> {
  for (let start = text.indexOf(keyBegin); start !== -1; ) {
    const name = keyName.exec(text.slice(start, start + 80))?.[1]
    let end = start + keyBegin.length
    if (name !== undefined) {
      const endMarker = `-----END ${name}-----`
      const piece = text.slice(start, start + maxKeyLength)
      const closing = piece.indexOf(endMarker)
      const length = closing === -1 ? (keyLines.exec(piece)?.[0].length ?? 0) : closing + endMarker.length
      end = start + Math.max(length, keyBegin.length)
      if (length > 0) yield { start, end }
    }
    start = text.indexOf(keyBegin, end)
  }
}

const keyLines = /^-----[A-Z0-9 ]+-----(?:\s{1,8}[A-Za-z0-9+/=]{16,80}(?=\s|$))+/
