import { describe, expect, it } from 'vitest'
import { decodeText } from './decode.ts'

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

describe('decoding a page', () => {
  it.each(samples)('reads %s named by the header', (encoding, sentence, hex) => {
    const { text } = decodeText(page('<p>', hex), `text/html; charset=${encoding.toUpperCase()}`)
    expect(text).toBe(`<p>${sentence}`)
  })

  it.each(samples)('reads %s named by a meta tag', (encoding, sentence, hex) => {
    const decoded = decodeText(page(`<meta charset="${encoding}">`, hex), 'text/html')
    expect(decoded).toEqual({ text: `<meta charset="${encoding}">${sentence}`, encoding })
  })

  it.each(samples)(
    'reads %s named by a meta tag when the header names nothing known',
    (encoding, sentence, hex) => {
      const head = `<meta http-equiv="Content-Type" content="text/html; charset=${encoding}">`
      expect(decodeText(page(head, hex), 'text/html; charset=no-such-thing').text).toBe(head + sentence)
    },
  )

  it('believes the header before the meta tag', () => {
    const [, sentence, hex] = ['', 'Русская страница', 'd0f3f1f1eae0ff20f1f2f0e0ede8f6e0']
    const { text } = decodeText(page('<meta charset=gbk>', hex), 'text/html; charset="windows-1251"')
    expect(text).toBe(`<meta charset=gbk>${sentence}`)
  })

  it('believes a byte order mark before everything else', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße 日本', 'utf16le')])
    expect(decodeText(utf16, 'text/html; charset=windows-1251')).toEqual({
      text: 'Grüße 日本',
      encoding: 'utf-16le',
    })
  })

  it('reads big-endian UTF-16 and UTF-8 with a mark', () => {
    const bigEndian = Buffer.from(Buffer.from('\ufeffÄ日', 'utf16le')).swap16()
    expect(decodeText(bigEndian, undefined)).toEqual({ text: 'Ä日', encoding: 'utf-16be' })
    expect(decodeText(Buffer.from('\ufeffÄ'), 'text/html; charset=gbk')).toEqual({
      text: 'Ä',
      encoding: 'utf-8',
    })
  })

  it('takes ISO-8859-1 for windows-1252, as browsers do', () => {
    const { text, encoding } = decodeText(Buffer.from([0x93, 0xe9, 0x94]), 'text/html; charset=iso-8859-1')
    expect({ text, encoding }).toEqual({ text: '“é”', encoding: 'windows-1252' })
  })

  it('takes valid UTF-8 without any sign for UTF-8, and the rest for windows-1252', () => {
    expect(decodeText(Buffer.from('Déjà'), undefined)).toEqual({ text: 'Déjà', encoding: 'utf-8' })
    expect(decodeText(ascii('Déjà'), undefined)).toEqual({ text: 'Déjà', encoding: 'windows-1252' })
  })

  it('takes UTF-8 that was cut inside a character for UTF-8', () => {
    expect(decodeText(Buffer.from('日本').subarray(0, 5), undefined).text).toBe('日')
  })

  it('gives one replacement character for encodings that hide markup', () => {
    expect(decodeText(ascii('<script>'), 'text/html; charset=iso-2022-kr').text).toBe('\ufffd')
  })

  it('reads the declaration of an XML document', () => {
    const [hex, sentence] = ['93fa967b', '日本']
    const head = '<?xml version="1.0" encoding="Shift_JIS"?>'
    expect(decodeText(page(head, hex), 'application/xhtml+xml').text).toBe(head + sentence)
  })

  it('finds a declaration that stands too late for a prescan when nothing else fits', () => {
    const head = `<!--${' '.repeat(3000)}--><meta charset=windows-1251>`
    expect(decodeText(page(head, 'd0f3f1'), 'text/html').text).toBe(`${head}Рус`)
  })

  it('does not believe a meta tag inside a text file', () => {
    const text = '<meta charset=utf-16le> é'
    expect(decodeText(Buffer.from(text), 'text/plain').text).toBe(text)
  })
})
