import { describe, expect, it } from 'vitest'
import { filePathOf } from './file-name.ts'

const path = (address: string) => filePathOf(address).join(' / ')

describe('the name of a file', () => {
  it.each([
    ['https://a.example/', 'a.example / index'],
    ['https://a.example/docs/', 'a.example / docs / index'],
    ['https://a.example/docs/intro.html', 'a.example / docs / intro'],
    ['https://a.example:8080/x?b=2#/c', 'a.example-8080 / x-b=2--c'],
    ['https://a.example/%E6%97%A5', 'a.example / 日'],
  ])('%s is %s', (address, name) => {
    expect(path(address)).toBe(name)
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
  ])('of %s stays below its folder and hides nothing', (address) => {
    for (const part of filePathOf(address)) {
      expect(part).not.toMatch(/[/\\\0]|^\.|^-|\p{Cc}|\p{Cf}/u)
      expect(part).not.toBe('')
    }
  })

  it.each(['con', 'NUL.txt', 'com1'])('%s is none that a system keeps for itself', (name) => {
    expect(filePathOf(`https://a.example/${name}`).at(-1)).toMatch(/^_/)
  })

  it('is short enough for any file system, in any script', () => {
    const names = filePathOf(`https://a.example/${encodeURIComponent('日'.repeat(400))}?${'q'.repeat(5000)}`)
    expect(names.every((name) => Buffer.byteLength(name) <= 200)).toBe(true)
    expect(filePathOf(`https://a.example/${'x'.repeat(300)}1`)).not.toEqual(
      filePathOf(`https://a.example/${'x'.repeat(300)}2`),
    )
  })

  it('of a folder is none that a file can have', () => {
    expect(filePathOf('https://a.example/readme.md/x')[1]).toBe('readme.md_')
  })
})
