import type { Found, RedactionMode } from './pii-match.ts'

/** Keys and tokens by the shapes that their makers give them. None begins inside a word, so each word is read once. */
const shapes = [
  // Amazon: ids of keys.
  '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])',
  // GitHub and GitLab.
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
  // Google.
  'AIza[A-Za-z0-9_-]{35}',
  'ya29\\.[A-Za-z0-9_-]{20,1000}',
  'GOCSPX-[A-Za-z0-9_-]{20,40}',
  // Model providers.
  'sk-(?:ant-|proj-|svcacct-|admin-|or-)?[A-Za-z0-9_-]{20,255}',
  '(?:hf|r8|gsk|pplx|nvapi|fc|tvly|xai)[_-][A-Za-z0-9_-]{30,255}',
  // Registries and hosts.
  'npm_[A-Za-z0-9]{36}',
  'pypi-AgEI[A-Za-z0-9_-]{50,1000}',
  'do[opr]_v1_[a-f0-9]{64}',
  'dckr_pat_[A-Za-z0-9_-]{20,100}',
  // JSON web tokens.
  'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{0,}',
]
const known = new RegExp(`(?<![A-Za-z0-9_-])(?:${shapes.join('|')})(?![A-Za-z0-9_-])`, 'g')

/** What stands behind a name and is a secret by that name; the group is the secret. */
const named = [
  /aws_?secret_?access_?key\W{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi,
  /AccountKey=([A-Za-z0-9+/]{86}==)/g,
  /:\/\/([^\s:/@[\]()]{1,100}:[^\s:/@[\]()]{1,200})@/g,
  /hooks\.slack\.com\/services\/(T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{20,30})/g,
]

const inDoubt =
  /(?:passw(?:or)?d|passwort|contraseña|mot de passe|secret|api[_ -]?key|access[_ -]?token|auth[_ -]?token)["']?\s?[:=]\s?["'`]{0,2}([^\s"'`<>,;()[\]]{8,200})/gi

export function findSecrets(text: string, mode: RedactionMode): Found[] {
  const found: Found[] = []
  const add = (start: number, end: number) => found.push({ start, end, entity: 'SECRET' })
  for (const { 0: match, index } of text.matchAll(known)) add(index, index + match.length)
  for (const pattern of mode === 'aggressive' ? [...named, inDoubt] : named) {
    for (const { 0: match, 1: secret = '', index } of text.matchAll(pattern)) {
      const start = index + match.lastIndexOf(secret)
      if (pattern !== inDoubt || /[\d\W_]/.test(secret)) add(start, start + secret.length)
    }
  }
  for (const { start, end } of privateKeys(text)) add(start, end)
  return found
}

const keyBegin = '-----BEGIN '
const keyName = /^-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/
/** A longer one is something else, or has no end. */
const longestKey = 20_000

/** Whole blocks with a private key; one without an end as far as its lines look like one. */
function* privateKeys(text: string): Generator<{ start: number; end: number }> {
  for (let start = text.indexOf(keyBegin); start !== -1; ) {
    const name = keyName.exec(text.slice(start, start + 80))?.[1]
    let end = start + keyBegin.length
    if (name !== undefined) {
      const mark = `-----END ${name}-----`
      const piece = text.slice(start, start + longestKey)
      const closing = piece.indexOf(mark)
      const length = closing === -1 ? bodyLength(piece) : closing + mark.length
      end = start + Math.max(length, keyBegin.length)
      if (length > 0) yield { start, end }
    }
    start = text.indexOf(keyBegin, end)
  }
}

/** Of a first line and lines of letters and digits below it; zero, if there are none. */
function bodyLength(piece: string): number {
  return /^-----[A-Z0-9 ]+-----(?:\s{1,8}[A-Za-z0-9+/=]{16,80}(?=\s|$))+/.exec(piece)?.[0].length ?? 0
}
