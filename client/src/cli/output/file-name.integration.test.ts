import { describe, expect, it } from 'vitest'
import { toFilePath } from './file-name.ts'

const joinedPath = (url: string) => toFilePath(url).join(' / ')

describe('filePathOf', () => {
  it.each([
    ['https://a.example/', 'a.example / index'],
    ['https://a.example/docs/', 'a.example / docs / index'],
    ['https://a.example/docs/intro.html', 'a.example / docs / intro'],
    ['https://a.example:8080/x?b=2#/c', 'a.example-8080 / x-b=2--c'],
    ['https://a.example/%E6%97%A5', 'a.example / 日'],
  ])('converts %s to %s', (url, name) => {
    expect(joinedPath(url)).toBe(name)
  })

  it.each([
    'https://a.example/..%2f..%2fetc%2fpasswd',
    'https://a.example/%2e%2e/%2e%2e/x',
    'https://a.example/a%00b',
    'https://a.example/%5c..%5cwin',
    'https://a.example/.ssh/authorized_keys',
    'https://a.example/%E2%80%AEgnp.exe',
    'https://a.example/-rf',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '../../up',
    '',
  ])('keeps the path of %s inside its folder and not hidden', (url) => {
    for (const part of toFilePath(url)) {
      expect(part).not.toMatch(/[/\\\0]|^\.|^-|\p{Cc}|\p{Cf}/u)
      expect(part).not.toBe('')
    }
  })

  it.each(['con', 'NUL.txt', 'com1'])('avoids the reserved name %s', (name) => {
    expect(toFilePath(`https://a.example/${name}`).at(-1)).toMatch(/^_/)
  })

  it('shortens names in any script to the limit of file systems', () => {
    const names = toFilePath(`https://a.example/${encodeURIComponent('日'.repeat(400))}?${'q'.repeat(5000)}`)
    expect(names.every((name) => Buffer.byteLength(name) <= 200)).toBe(true)
    expect(toFilePath(`https://a.example/${'x'.repeat(300)}1`)).not.toEqual(
      toFilePath(`https://a.example/${'x'.repeat(300)}2`),
    )
  })

  it('gives a folder a name that no file can have', () => {
    expect(toFilePath('https://a.example/readme.md/x')[1]).toBe('readme.md_')
  })
})
