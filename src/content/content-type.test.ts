import { describe, expect, it } from 'vitest'
import { getPageKind, isTextual } from './content-type.ts'
import type { Page } from './page.ts'

function page(contentType: string | undefined, body: string | Uint8Array): Page {
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType }
  const url = 'https://example.test/'
  return { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(body), fetchedAt: 0 }
}

describe('kindOf', () => {
  it.each([
    ['text/html; charset=utf-8', 'anything', { name: 'html', isXhtml: false }],
    ['application/xhtml+xml', '<html/>', { name: 'html', isXhtml: true }],
    ['application/xml', '<?xml version="1.0"?>\n<!-- x --><html xmlns="y">', { name: 'html', isXhtml: true }],
    [undefined, '\n<!DOCTYPE html><p>', { name: 'html', isXhtml: false }],
    ['application/octet-stream', '<html><p>', { name: 'html', isXhtml: false }],
    ['text/plain', '<html>', { name: 'text' }],
    ['text/markdown', '# x', { name: 'text' }],
    [undefined, 'just text', { name: 'text' }],
    ['application/json', '{}', { name: 'source', language: 'json' }],
    ['application/ld+json', '{}', { name: 'source', language: 'json' }],
    ['application/rss+xml', '<rss/>', { name: 'source', language: 'xml' }],
    ['image/svg+xml', '<svg/>', { name: 'source', language: 'xml' }],
    ['text/csv', 'a,b', { name: 'source', language: 'csv' }],
    ['text/x-python', 'x', { name: 'source', language: 'python' }],
    ['application/javascript', 'x', { name: 'source', language: 'javascript' }],
    ['application/x-yaml', 'x: y', { name: 'source', language: 'yaml' }],
    ['application/vnd.unknown', 'plain words', { name: 'text' }],
    ['image/png', '\x89PNG', { name: 'binary' }],
    ['application/pdf', '%PDF-1.7', { name: 'binary' }],
    ['text/html', '%PDF-1.7', { name: 'binary' }],
    ['video/mp4', 'x', { name: 'binary' }],
    ['application/octet-stream', 'a\0b', { name: 'binary' }],
    ['text/plain', 'a\0b', { name: 'binary' }],
  ])('%s with %j is %j', (contentType, body, kind) => {
    expect(getPageKind(page(contentType, body))).toEqual(kind)
  })

  it('returns text for UTF-16 with a byte order mark', () => {
    expect(isTextual(page('text/plain', Buffer.from('\ufeffabc', 'utf16le')))).toBe(true)
  })

  it('returns binary for a mislabelled image', () => {
    expect(isTextual(page('text/html', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])))).toBe(false)
  })
})
