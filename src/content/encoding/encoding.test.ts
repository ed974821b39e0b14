import { describe, expect, it } from 'vitest'
import { decodeBytes, encodingOf } from './encoding.ts'

describe('encoding labels', () => {
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
  ])('%s names %s', (label, encoding) => {
    expect(encodingOf(label)).toBe(encoding)
  })

  it('that nobody knows name nothing', () => {
    expect(encodingOf('utf-7')).toBeUndefined()
    expect(encodingOf('')).toBeUndefined()
    expect(encodingOf(undefined)).toBeUndefined()
  })
})

describe('windows-1252', () => {
  it('maps 0x80 to 0x9f by the table of the web', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index)
    expect(decodeBytes(bytes, 'windows-1252')).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ')
  })

  it('reads a part of a larger buffer', () => {
    expect(decodeBytes(Buffer.from('xx\x80yy', 'latin1').subarray(2, 3), 'windows-1252')).toBe('€')
  })
})

describe('x-user-defined', () => {
  it('keeps ASCII and moves the rest to private characters', () => {
    expect(decodeBytes(Uint8Array.of(0x41, 0x80, 0xff), 'x-user-defined')).toBe('A\uf780\uf7ff')
  })
})

describe('EUC-KR', () => {
  const decode = (hex: string) => decodeBytes(Buffer.from(hex, 'hex'), 'euc-kr')

  it('knows the first and the last of the added syllables', () => {
    expect(decode('8141')).toBe('갂')
    expect(decode('c652')).toBe('힣')
  })

  it('knows the euro sign', () => {
    expect(decode('a2e6')).toBe('€')
  })

  it('does not swallow markup after a broken byte', () => {
    expect(decode('b03c2f703e')).toBe('\ufffd</p>')
  })

  it('reads a lone last byte as an error', () => {
    expect(decode('41b0')).toBe('A\ufffd')
  })
})
