import { describe, expect, it } from 'vitest'
import { decodeBytes, decodeText, encodingOf, prescanEncoding } from './decode.ts'

const samples: [encoding: string, sentence: string, hex: string][] = [
  ['shift_jis', '日本語のページ', '93fa967b8cea82cc8379815b8357'],
  ['gbk', '中文网页 你好', 'd6d0cec4cdf8d2b320c4e3bac3'],
  ['gb18030', '中文𠀀', 'd6d0cec495328236'],
  ['big5', '繁體中文網頁', 'c163c5e9a4a4a4e5baf4adb6'],
  ['big5', '䏰ぁ𨒂', '8740c6e7fbfe'],
  ['euc-jp', '日本語のページ', 'c6fccbdcb8eca4cea5daa1bca5b8'],
  ['iso-2022-jp', '日本語のページ', '1b2442467c4b5c386c244e255a213c25381b2842'],
  ['euc-kr', '한국어 똠방각하', 'c7d1b1b9beee208c63b9e6b0a2c7cf'],
  ['windows-1251', 'Русская страница', 'd0f3f1f1eae0ff20f1f2f0e0ede8f6e0'],
  ['koi8-r', 'Русская страница', 'f2d5d3d3cbc1d120d3d4d2c1cec9c3c1'],
  ['iso-8859-2', 'Zażółć gęślą', '5a61bff3b3e62067eab66cb1'],
  ['windows-1253', 'Ελληνικά', 'c5ebebe7ede9eadc'],
  ['macintosh', 'Déjà vu', '448e6a88207675'],
  ['windows-1252', '“Déjà vu” – 5 €', '9344e96ae020767594209620352080'],
]

const ascii = (text: string) => Buffer.from(text, 'latin1')
const page = (head: string, hex: string) => Buffer.concat([ascii(head), Buffer.from(hex, 'hex')])

describe('decodeText', () => {
  it.each(samples)('reads %s declared by the header', (encoding, sentence, hex) => {
    const { text } = decodeText(page('<p>', hex), `text/html; charset=${encoding.toUpperCase()}`)
    expect(text).toBe(`<p>${sentence}`)
  })

  it.each(samples)('reads %s declared by a meta tag', (encoding, sentence, hex) => {
    const decoded = decodeText(page(`<meta charset="${encoding}">`, hex), 'text/html')
    expect(decoded).toEqual({ text: `<meta charset="${encoding}">${sentence}`, encoding })
  })

  it.each(samples)(
    'reads %s declared by a meta tag if the header declares an unknown encoding',
    (encoding, sentence, hex) => {
      const head = `<meta http-equiv="Content-Type" content="text/html; charset=${encoding}">`
      expect(decodeText(page(head, hex), 'text/html; charset=no-such-thing').text).toBe(head + sentence)
    },
  )

  it('prefers the header to the meta tag', () => {
    const [sentence, hex] = ['Русская страница', 'd0f3f1f1eae0ff20f1f2f0e0ede8f6e0']
    const { text } = decodeText(page('<meta charset=gbk>', hex), 'text/html; charset="windows-1251"')
    expect(text).toBe(`<meta charset=gbk>${sentence}`)
  })

  it('prefers a byte order mark to all declarations', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße 日本', 'utf16le')])
    expect(decodeText(utf16, 'text/html; charset=windows-1251')).toEqual({
      text: 'Grüße 日本',
      encoding: 'utf-16le',
    })
  })

  it('reads big-endian UTF-16 and UTF-8 with a byte order mark', () => {
    const bigEndian = Buffer.from(Buffer.from('\ufeffÄ日', 'utf16le')).swap16()
    expect(decodeText(bigEndian, undefined)).toEqual({ text: 'Ä日', encoding: 'utf-16be' })
    expect(decodeText(Buffer.from('\ufeffÄ'), 'text/html; charset=gbk')).toEqual({
      text: 'Ä',
      encoding: 'utf-8',
    })
  })

  it('reads ISO-8859-1 as windows-1252, like browsers', () => {
    const { text, encoding } = decodeText(Buffer.from([0x93, 0xe9, 0x94]), 'text/html; charset=iso-8859-1')
    expect({ text, encoding }).toEqual({ text: '“é”', encoding: 'windows-1252' })
  })

  it('reads undeclared valid UTF-8 as UTF-8, and other bytes as windows-1252', () => {
    expect(decodeText(Buffer.from('Déjà'), undefined)).toEqual({ text: 'Déjà', encoding: 'utf-8' })
    expect(decodeText(ascii('Déjà'), undefined)).toEqual({ text: 'Déjà', encoding: 'windows-1252' })
  })

  it('reads UTF-8 that is truncated inside a character', () => {
    expect(decodeText(Buffer.from('日本').subarray(0, 5), undefined).text).toBe('日')
  })

  it('returns one replacement character for encodings that hide markup', () => {
    expect(decodeText(ascii('<script>'), 'text/html; charset=iso-2022-kr').text).toBe('\ufffd')
  })

  it('reads the declaration of an XML document', () => {
    const [hex, sentence] = ['93fa967b', '日本']
    const head = '<?xml version="1.0" encoding="Shift_JIS"?>'
    expect(decodeText(page(head, hex), 'application/xhtml+xml').text).toBe(head + sentence)
  })

  it('uses a declaration after the prescan limit if nothing else fits', () => {
    const head = `<!--${' '.repeat(3000)}--><meta charset=windows-1251>`
    expect(decodeText(page(head, 'd0f3f1'), 'text/html').text).toBe(`${head}Рус`)
  })

  it('ignores a meta tag inside a text file', () => {
    const text = '<meta charset=utf-16le> é'
    expect(decodeText(Buffer.from(text), 'text/plain').text).toBe(text)
  })
})

describe('encodingOf', () => {
  it.each([
    ['UTF8', 'utf-8'],
    [' latin1 ', 'windows-1252'],
    ['us-ascii', 'windows-1252'],
    ['gb2312', 'gbk'],
    ['x-sjis', 'shift_jis'],
    ['windows-31j', 'shift_jis'],
    ['ks_c_5601-1987', 'euc-kr'],
    ['big5-hkscs', 'big5'],
    ['iso-8859-9', 'windows-1254'],
    ['tis-620', 'windows-874'],
    ['x-user-defined', 'x-user-defined'],
    ['hz-gb-2312', 'replacement'],
  ])('maps %s to %s', (label, encoding) => {
    expect(encodingOf(label)).toBe(encoding)
  })

  it('returns undefined for unknown labels', () => {
    expect(encodingOf('utf-7')).toBeUndefined()
    expect(encodingOf('')).toBeUndefined()
    expect(encodingOf(undefined)).toBeUndefined()
  })
})

describe('windows-1252', () => {
  it('maps 0x80 to 0x9f as the Encoding Standard defines', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index)
    expect(decodeBytes(bytes, 'windows-1252')).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ')
  })

  it('decodes a view of a larger buffer', () => {
    expect(decodeBytes(Buffer.from('xx\x80yy', 'latin1').subarray(2, 3), 'windows-1252')).toBe('€')
  })
})

describe('x-user-defined', () => {
  it('keeps ASCII and maps other bytes to private use characters', () => {
    expect(decodeBytes(Uint8Array.of(0x41, 0x80, 0xff), 'x-user-defined')).toBe('A\uf780\uf7ff')
  })
})

describe('EUC-KR', () => {
  const decode = (hex: string) => decodeBytes(Buffer.from(hex, 'hex'), 'euc-kr')

  it('decodes the first and the last of the syllables that windows-949 adds', () => {
    expect(decode('8141')).toBe('갂')
    expect(decode('c652')).toBe('힣')
  })

  it('decodes the euro sign', () => {
    expect(decode('a2e6')).toBe('€')
  })

  it('keeps markup after an invalid byte', () => {
    expect(decode('b03c2f703e')).toBe('\ufffd</p>')
  })

  it('reads a lone last byte as an error', () => {
    expect(decode('41b0')).toBe('A\ufffd')
  })
})

const prescan = (head: string) => prescanEncoding(Buffer.from(head, 'latin1'), 1024)

describe('prescanEncoding', () => {
  it.each([
    ['<meta charset=gbk>', 'gbk'],
    ['<META CharSet = "Shift_JIS">', 'shift_jis'],
    ["<meta charset='koi8-r'/>", 'koi8-r'],
    ['<meta/charset=big5>', 'big5'],
    ['<meta http-equiv=content-type content="text/html; charset=euc-kr">', 'euc-kr'],
    ["<meta content='text/html;charset=\"gbk\"' http-equiv='Content-Type'>", 'gbk'],
    ['<html lang="a>b"><meta name=x><meta charset=gbk>', 'gbk'],
    ['<!doctype html><?php ?><meta charset=gbk>', 'gbk'],
    ['<!--> <meta charset=gbk>', 'gbk'],
    ['<?xml version="1.0" encoding="euc-jp"?><root/>', 'euc-jp'],
  ])('reads the encoding from %s', (head, encoding) => {
    expect(prescan(head)).toBe(encoding)
  })

  it.each([
    ['a comment', '<!-- <meta charset=gbk> -->'],
    ['the value of an attribute', '<a title="<meta charset=gbk>">'],
    ['another element', '<metadata charset=gbk>'],
    ['a content attribute without http-equiv', '<meta content="text/html; charset=gbk">'],
    ['an unknown label', '<meta charset=klingon>'],
    ['a tag that is cut off', '<meta charset=gbk'],
    ['a second attribute of the same name', '<meta charset="" charset=gbk>'],
    ['bytes after the first 1024', `${' '.repeat(1020)}<meta charset=gbk>`],
  ])('ignores %s', (_, head) => {
    expect(prescan(head)).toBeUndefined()
  })

  it('never returns UTF-16 for an ASCII declaration', () => {
    expect(prescan('<meta charset=utf-16le>')).toBe('utf-8')
    expect(prescan('<?xml version="1.0" encoding="utf-16"?>')).toBe('utf-8')
  })

  it('returns windows-1252 for x-user-defined', () => {
    expect(prescan('<meta charset=x-user-defined>')).toBe('windows-1252')
  })

  it('returns UTF-16 for an XML declaration in two-byte characters', () => {
    expect(prescanEncoding(Buffer.from('<?xml version="1.0"?>', 'utf16le'), 1024)).toBe('utf-16le')
  })
})
