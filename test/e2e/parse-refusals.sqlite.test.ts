import { describe, expect, inject, it } from 'vitest'
import { scrape, teamKey } from '../api.ts'
import { doc, docx, docxParts, farCells, xls, xlsx } from '../documents/office.ts'
import { pdf } from '../documents/pdf.ts'
import { post, postForm } from '../documents/post.ts'
import { zip } from '../documents/zip.ts'
import { startSite } from '../site/site.ts'

const parts = docxParts('<w:p/>')
const rejectedFiles: [string, Buffer | string, string, string][] = [
  ['an empty file', '', 'a.pdf', 'DOCUMENT_EMPTY'],
  ['an encrypted PDF', pdf([{}], { encrypted: true }), 'a.pdf', 'DOCUMENT_ENCRYPTED'],
  ['an encrypted doc', doc('x', { encrypted: true }), 'a.doc', 'DOCUMENT_ENCRYPTED'],
  ['an encrypted xls', xls({ encrypted: true }), 'a.xls', 'DOCUMENT_ENCRYPTED'],
  ['an encrypted package', zip(parts, { encrypted: true }), 'a.docx', 'DOCUMENT_ENCRYPTED'],
  [
    'random bytes',
    Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 73) % 251)),
    'a.docx',
    'DOCUMENT_DAMAGED',
  ],
  ['a package that was cut off', docx().subarray(0, 700), 'a.docx', 'DOCUMENT_DAMAGED'],
  ['a package that is no document', zip({ 'readme.txt': 'x' }), 'a.xlsx', 'DOCUMENT_DAMAGED'],
  ['a PDF of nothing but its mark', '%PDF-1.7\n', 'a.pdf', 'DOCUMENT_DAMAGED'],
  ['a text that is none', Buffer.from([65, 0, 1, 2, 66, 0]), 'a.txt', 'DOCUMENT_DAMAGED'],
  [
    'entities',
    zip({ ...parts, 'word/x.xml': '<!DOCTYPE x [<!ENTITY y "z">]><x/>' }),
    'a.docx',
    'DOCUMENT_DAMAGED',
  ],
  [
    'a bomb',
    zip({ ...parts, 'word/b.xml': Buffer.alloc(60_000_000, 32) }),
    'a.docx',
    'DOCUMENT_LIMIT_EXCEEDED',
  ],
  ['a sheet with two cells far apart', xlsx(farCells), 'a.xlsx', 'DOCUMENT_LIMIT_EXCEEDED'],
  ['a type that nobody knows', 'some text', 'a.xyz', 'UNSUPPORTED_FILE_TYPE'],
]

describe('rejects', () => {
  it.each(rejectedFiles)('%s', async (_, content, name, code) => {
    const { status, body } = await post(content, { name })
    expect(body).toMatchObject({ success: false, code })
    expect(status).toBe(code === 'UNSUPPORTED_FILE_TYPE' ? 400 : 422)
  })

  it('a file above 50 MB, while the upload is still running', async () => {
    const { status, body } = await post(Buffer.alloc(50 * 1024 * 1024 + 1, 32), { name: 'a.txt' })
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'UPLOAD_TOO_LARGE' })
  })

  it('a file name that is too long for a file system', async () => {
    const { status, body } = await post('text', { name: `${'a'.repeat(252)}.txt` })
    expect({ status, bound: body.bound }).toEqual({ status: 400, bound: 'MAX_FILE_NAME_LENGTH' })
  })

  it('options that are not JSON, or not an object', async () => {
    const broken = await post('text', { name: 'a.txt', options: '{' })
    expect(broken.body.code).toBe('BAD_REQUEST_INVALID_JSON')
    const list = await post('text', { name: 'a.txt', options: '[]' })
    expect(list.body.code).toBe('BAD_REQUEST')
  })

  it('a form without a file, and a body that is not a form', async () => {
    const { urls } = inject('deployment')
    const form = new FormData()
    form.append('options', '{}')
    expect((await postForm(form)).body.code).toBe('BAD_REQUEST')
    const headers = { authorization: `Bearer ${teamKey()}`, 'content-type': 'application/json' }
    const json = await fetch(`${urls[0]}/v2/parse`, { method: 'POST', headers, body: '{}' })
    expect(json.status).toBe(415)
  })

  it('an unknown option', async () => {
    const { body } = await post('text', { name: 'a.txt', options: { colour: 'blue' } })
    expect(body.code).toBe('BAD_REQUEST')
  })
})

describe('rejects, because it does not apply to a file:', () => {
  it.each(['screenshot', 'branding', 'audio', 'rawBase64'])('%s', async (format) => {
    const { status, body } = await post('text', { name: 'a.txt', options: { formats: [format] } })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'PARSE_UNSUPPORTED_OPTIONS' })
  })

  it.each([
    { actions: [{ type: 'wait', milliseconds: 5 }] },
    { waitFor: 100 },
    { location: { country: 'DE' } },
    { mobile: true },
    { lockdown: true },
    { maxAge: 5 },
  ])('%o', async (options) => {
    const { status, body } = await post('text', { name: 'a.txt', options })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'PARSE_UNSUPPORTED_OPTIONS' })
  })
})

it('hostile files do not disturb concurrent scrapes', async () => {
  const site = await startSite()
  try {
    const files = Promise.all(rejectedFiles.map(([, content, name]) => post(content, { name })))
    const scrapes = Array.from({ length: 20 }, (_, index) =>
      scrape({ url: `${site.url}/pages/${index + 1}`, maxAge: 0 }),
    )
    for (const { status } of await Promise.all(scrapes)) expect(status).toBe(200)
    for (const { status } of await files) expect(status).toBeLessThan(500)
  } finally {
    await site.stop()
  }
})
