import { describe, expect, it } from 'vitest'
import { encode } from '../../test/documents/encode.ts'
import { pdf } from '../../test/documents/pdf.ts'
import { convertBytes } from './convert-bytes.ts'
import { typeNamed } from './index.ts'

describe('a file of which nothing is to be parsed', () => {
  const options = {
    pdf: { mode: 'auto' as const, maxPages: 10, pageMarkers: false },
    parses: false,
    tesseract: undefined,
    withinMs: 60_000,
  }
  const made = (name: string, content: Buffer | string) =>
    convertBytes(Buffer.from(content), typeNamed(name), options)

  it('is handed out, refused or converted, as its type says', async () => {
    expect(await made('pdf', pdf([{}]))).toEqual({ kind: 'raw', mediaType: 'application/pdf' })
    await expect(made('image', Buffer.from('89504e470d0a1a0a', 'hex'))).rejects.toMatchObject({
      kind: 'unsupported',
      message: 'Images are not supported with an empty list of parsers.',
    })
    expect(await made('csv', 'name;tons\n')).toMatchObject({ kind: 'converted', mediaType: 'text/csv' })
  })

  it('is read as a page where it is text, in the charset that its bytes tell unless it says so itself', async () => {
    const page = (mediaType: string) => ({ kind: 'page', mediaType })
    const cyrillic = encode('имя;город\nИван Петров;Москва\n', 'windows-1251')
    expect(await made('txt', cyrillic)).toEqual(page('text/plain; charset=windows-1251'))
    expect(await made('md', '# Fog')).toEqual(page('text/markdown; charset=utf-8'))
    expect(await made('html', cyrillic)).toEqual(page('text/html'))
    expect(await made('json', '{}')).toEqual(page('application/json'))
  })
})
