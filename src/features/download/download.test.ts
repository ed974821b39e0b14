import { describe, expect, it } from 'vitest'
import { fileNames } from './download.ts'

const getName = (url: string) => fileNames('.md')(url)

describe('fileNames', () => {
  it.each([
    ['https://example.com/', 'example.com/index.md'],
    ['https://example.com/docs/start', 'example.com/docs/start.md'],
    ['https://example.com/docs/start/', 'example.com/docs/start.md'],
    ['https://example.com/list?page=2&sort=name', 'example.com/list-page=2&sort=name.md'],
    ['https://example.com/readme.md', 'example.com/readme.md'],
    ['https://example.com/caf%C3%A9', 'example.com/café.md'],
    ['http://example.com:8080/a', 'example.com-8080/a.md'],
  ])('converts the URL %s to a file name', (url, name) => {
    expect(getName(url)).toBe(name)
  })

  it.each([
    'https://example.com/%2e%2e/%2e%2e/etc/passwd',
    'https://example.com/..%2f..%2fetc%2fpasswd',
    'https://example.com/a%5c..%5c..%5cb',
    'https://example.com/%00/%0a/%1b[31m',
    'https://example.com/%e2%80%ae%66%64%70.exe',
    'https://example.com/C:%5Cwindows',
    'https://example.com/con/nul.txt/lpt1',
    'https://example.com/.ssh/.../. ',
    'https://example.com/%ff%fe',
    'https://example.com/~root/$HOME/`id`',
    `https://example.com/${'a/'.repeat(500)}end`,
    `https://example.com/${'%F0%9F%98%80'.repeat(400)}`,
    `https://example.com/?${'x'.repeat(5000)}`,
    'not an address',
    '',
  ])('returns a safe name for %s', (url) => {
    const name = getName(url)
    expect(name).toMatch(/\.md$/)
    expect(name).not.toMatch(/[\p{Cc}\p{Cf}\\<>:"|?*~$`]/u)
    expect(name.split('/').length).toBeLessThanOrEqual(12)
    for (const part of name.split('/')) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
      expect(part).not.toMatch(/^\.|^$|[. ]$/)
      expect(part).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
    }
  })

  it.each(['.md', '.metadata.json'])('stays within 255 bytes including the number and %s', (ending) => {
    const next = fileNames(ending)
    // Characters of one to four bytes, so that the limit also falls inside of a character.
    for (const character of ['a', 'é', '市', '😀']) {
      const part = `x${encodeURIComponent(character).repeat(300)}`
      for (const url of Array(12).fill(`https://example.com/${part}${ending}/${part}${ending}`)) {
        const [, folder = '', name = ''] = next(url).split('/')
        expect(Buffer.byteLength(folder)).toBeLessThanOrEqual(255)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        expect(folder).toMatch(new RegExp(`^x${character}+$`, 'u'))
        expect(name).toMatch(new RegExp(`^x${character}+(-\\d+)?${ending}$`, 'u'))
      }
    }
  })

  it('adds numbers to equal names, ignoring case', () => {
    const next = fileNames('.md')
    expect([
      next('https://example.com/a'),
      next('https://example.com/a/'),
      next('https://example.com/A'),
    ]).toEqual(['example.com/a.md', 'example.com/a-2.md', 'example.com/A-3.md'])
  })

  it('gives no folder the name of a file', () => {
    const next = fileNames('.md')
    expect([next('https://example.com/a.md'), next('https://example.com/a.md/b')]).toEqual([
      'example.com/a.md',
      'example.com/a.md_/b.md',
    ])
  })

  it('needs one lookup per URL for 10,000 URLs with the same first 80 characters', () => {
    const names = fileNames('.md')
    let lookups = 0
    const has = Set.prototype.has
    Set.prototype.has = function (value) {
      lookups += 1
      return has.call(this, value)
    }
    try {
      const urls = Array.from(
        { length: 10_000 },
        (_, index) => `https://example.com/${'a'.repeat(80)}${index}`,
      )
      expect(new Set(urls.map(names)).size).toBe(10_000)
    } finally {
      Set.prototype.has = has
    }
    expect(lookups).toBe(10_000)
  })
})
