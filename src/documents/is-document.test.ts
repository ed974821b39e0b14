import { describe, expect, it } from 'vitest'
import { docx, xls } from '../../test/documents/office.ts'
import { pdf } from '../../test/documents/pdf.ts'
import { isDocument, isFileUrl, isLabelledDocument, isShownAsText } from './is-document.ts'

const page = (bytes: Buffer | string, { path = '/a', type = '' } = {}) => ({
  requestedUrl: `https://site.example${path}`,
  url: `https://site.example${path}`,
  status: 200,
  headers: { 'content-type': type },
  bytes: Buffer.from(bytes),
  fetchedAt: 0,
})

describe('a page is detected as a file', () => {
  it.each([
    ['a PDF', pdf([{}])],
    ['a package', docx()],
    ['a compound file', xls()],
    ['RTF', '{\\rtf1 x}'],
  ])('by its first bytes, whatever its content type: %s', (_, bytes) => {
    expect(isDocument(page(bytes, { type: 'text/html' }))).toBe(true)
    expect(isDocument({ ...page(bytes), text: '<p>rendered' })).toBe(false)
  })

  it('by a content type that a converter supports', () => {
    const isLabelled = (type: string, path = '/a') =>
      isLabelledDocument(`https://site.example${path}`, { 'content-type': type })
    expect(isLabelled('application/pdf')).toBe(true)
    expect(isLabelled('text/csv; charset=utf-8')).toBe(true)
    expect(isLabelled('text/html')).toBe(false)
    expect(isLabelled('text/html', '/a.csv')).toBe(false)
  })

  it('by the extension of a table if the content type is text, bytes or missing', () => {
    for (const type of ['text/plain', 'application/octet-stream', '']) {
      expect(isDocument(page('a,b', { path: '/a.csv', type }))).toBe(true)
      expect(isDocument(page('a,b', { path: '/a.txt', type }))).toBe(false)
      expect(isDocument(page('a,b', { path: '/a.docx', type }))).toBe(false)
    }
  })

  it('by the extension of its URL', () => {
    expect(isFileUrl(new URL('https://site.example/a.PDF?x'))).toBe(true)
    expect(isFileUrl(new URL('https://site.example/a.html'))).toBe(false)
    expect(isFileUrl(new URL('https://site.example/a'))).toBe(false)
  })
})

describe('isShownAsText', () => {
  const shown = (text: string, before = '<html><head></head><body><pre style="x">') =>
    isShownAsText({ text: before + text })

  it.each(['%PDF-1.7', 'PK\x03\x04\x14', '{\\rtf1\\ansi', '\ufffdPNG', '\u2030PNG'])(
    'returns true for %j',
    (text) => {
      expect(shown(text)).toBe(true)
      expect(shown(text, '<!DOCTYPE html> <HTML lang="en"><head><meta name="a"></head><body>')).toBe(true)
    },
  )

  it('returns false for a page that only mentions a signature', () => {
    expect(shown('Files begin with %PDF-1.7')).toBe(false)
    expect(shown('%PDF-1.7', '<html><head><title>x</title></head><body><pre>')).toBe(false)
    expect(isShownAsText({})).toBe(false)
  })
})
