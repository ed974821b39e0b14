import { describe, expect, it } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { toUploadName } from './multipart.ts'

describe('toUploadName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['Übersicht 2024 (3).xlsx', 'Übersicht 2024 (3).xlsx'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\x\\a.docx', 'a.docx'],
    ['..', ''],
    ['a/..', ''],
    ['a\u0000b\u001b[31m.pdf\r\n', 'ab[31m.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['a\u2066b\u2069.txt', 'ab.txt'],
    ['a\ud800.txt', 'a\ufffd.txt'],
    ['', ''],
  ])('returns %j as %j', (fileName, name) => expect(toUploadName(fileName)).toBe(name))

  it('rejects a name of more than 255 characters and names the bound', () => {
    expect(toUploadName('a'.repeat(255))).toHaveLength(255)
    const tooLong = () => toUploadName('a'.repeat(256))
    expect(tooLong).toThrow(AppError)
    expect(tooLong).toThrow('MAX_FILE_NAME_LENGTH')
  })
})
