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
  ])('returns %j as %j', (sent, name) => expect(toUploadName(sent)).toBe(name))

  it('refuses a name of more than 255 characters by the name of the bound', () => {
    expect(toUploadName('a'.repeat(255))).toHaveLength(255)
    const refused = () => toUploadName('a'.repeat(256))
    expect(refused).toThrow(AppError)
    expect(refused).toThrow('MAX_FILE_NAME_LENGTH')
  })
})
