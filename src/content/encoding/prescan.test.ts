import { describe, expect, it } from 'vitest'
import { prescanEncoding } from './prescan.ts'

const prescan = (head: string) => prescanEncoding(Buffer.from(head, 'latin1'), 1024)

describe('the encoding a page declares', () => {
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
  ])('is read from %s', (head, encoding) => {
    expect(prescan(head)).toBe(encoding)
  })

  it.each([
    ['a comment', '<!-- <meta charset=gbk> -->'],
    ['the value of an attribute', '<a title="<meta charset=gbk>">'],
    ['another element', '<metadata charset=gbk>'],
    ['a content without its pragma', '<meta content="text/html; charset=gbk">'],
    ['an unknown label', '<meta charset=klingon>'],
    ['a tag that the first bytes cut', '<meta charset=gbk'],
    ['a second attribute of the same name', '<meta charset="" charset=gbk>'],
    ['bytes after the first 1024', `${' '.repeat(1020)}<meta charset=gbk>`],
  ])('is not read from %s', (_, head) => {
    expect(prescan(head)).toBeUndefined()
  })

  it('cannot be UTF-16, since the declaration itself was read as ASCII', () => {
    expect(prescan('<meta charset=utf-16le>')).toBe('utf-8')
    expect(prescan('<?xml version="1.0" encoding="utf-16"?>')).toBe('utf-8')
  })

  it('is windows-1252 where x-user-defined is declared', () => {
    expect(prescan('<meta charset=x-user-defined>')).toBe('windows-1252')
  })

  it('is UTF-16 where the bytes of an XML declaration are two wide', () => {
    expect(prescanEncoding(Buffer.from('<?xml version="1.0"?>', 'utf16le'), 1024)).toBe('utf-16le')
  })
})
