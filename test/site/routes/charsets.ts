import { type Routes, send } from '../route.ts'

/** Text of each charset page. Every sentence has letters that are garbled in a wrong charset. */
export const sentences = {
  shift_jis: '吾輩は猫である。名前はまだ無い。',
  gbk: '学而时习之，不亦说乎。',
  'euc-kr': '나라의 말이 중국과 달라 서로 통하지 아니한다.',
  'windows-1251': 'Все счастливые семьи похожи друг на друга.',
  'iso-8859-1': 'Là où l’été s’achève, la forêt se tait à Århus, façon « ÿ ».'.replaceAll('’', "'"),
  'utf-16le': 'Ein Satz — 日本語, русский, ελληνικά.',
} as const

export type Charset = keyof typeof sentences

/** Declarations of the charset in the header and in the page. */
const claims: Record<string, (charset: string) => { header?: string; meta?: string }> = {
  header: (charset) => ({ header: charset }),
  meta: (charset) => ({ meta: `<meta charset="${charset}">` }),
  'http-equiv': (charset) => ({ meta: httpEquiv(charset) }),
  none: () => ({}),
  'header-wrong': (charset) => ({ header: wrongCharset(charset), meta: `<meta charset="${charset}">` }),
  'meta-wrong': (charset) => ({ header: charset, meta: `<meta charset="${wrongCharset(charset)}">` }),
  'both-wrong': (charset) => ({
    header: wrongCharset(charset),
    meta: `<meta charset="${wrongCharset(charset)}">`,
  }),
  'header-unknown': (charset) => ({ header: 'x-no-such-charset', meta: `<meta charset="${charset}">` }),
}

export const charsetRoutes: Routes = {
  '/charset/:charset/:claim': ({ response, params: part }) => {
    // The charset comes from the path and may be unknown. An unknown charset has no sentence and gets a 404 below.
    const charset = part.charset as Charset
    const sentence = sentences[charset]
    const claim = claims[part.claim ?? '']?.(charset)
    if (!sentence || !claim) return response.writeHead(404).end()
    const html = `<!doctype html><html><head>${claim.meta ?? ''}<title>${sentence}</title></head><body><p>${sentence}</p></body></html>`
    const type = claim.header ? `text/html; charset=${claim.header}` : 'text/html'
    send(response, { 'content-type': type }, encode(html, charset))
  },
}

function httpEquiv(charset: string) {
  return `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`
}

function wrongCharset(charset: string) {
  return charset === 'windows-1251' ? 'iso-8859-7' : 'windows-1251'
}

function encode(text: string, charset: Charset) {
  if (charset === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le')
  const table = encoderTable(charset)
  const bytes = [...text].map((letter) => {
    const code = table.get(letter)
    if (!code) throw new Error(`${charset} has no ${letter}`)
    return code
  })
  return Buffer.concat(bytes)
}

const tables = new Map<Charset, Map<string, Buffer>>()

/**
 * Returns a table from letters to codes. Node decodes these charsets but does not encode them, so the table is built
 * by decoding every code.
 */
function encoderTable(charset: Charset) {
  const cached = tables.get(charset)
  if (cached) return cached
  const table = new Map<string, Buffer>()
  const decoder = new TextDecoder(charset)
  for (const code of codes(charset)) {
    const letters = [...decoder.decode(code)]
    const letter = letters[0] ?? '\ufffd'
    if (letters.length === 1 && letter !== '\ufffd' && !table.has(letter)) table.set(letter, code)
  }
  tables.set(charset, table)
  return table
}

function* codes(charset: Charset) {
  for (let byte = 0; byte <= 0xff; byte += 1) yield Buffer.of(byte)
  if (charset === 'windows-1251' || charset === 'iso-8859-1') return
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) yield Buffer.of(lead, trail)
  }
}
