import { describe, expect, it } from 'vitest'
import { detectLanguage } from '../../extraction/text/guess-language.ts'
import { packBody, readBody } from './documents.ts'
import { documentsOfPage, imagesOf } from './page-documents.ts'
import { areNearlySame, fingerprintOf, pageKey } from './same-page.ts'

const fields = {
  ...{ title: 'Tides', headings: 'Moorings', text: 'The tide turns at noon.', description: 'When to sail' },
  ...{ language: 'en', publishedAt: 5, modifiedAt: 7, isNews: false },
  pictures: [{ url: 'https://example.com/boat.jpg', text: 'A boat', width: 800, height: undefined }],
  links: ['https://example.com/moon', 'https://www.example.com/tides#top'],
}
const page = { url: 'https://www.example.com/tides', type: 'html', fetchedAt: 1, expiresAt: 2, fields }

describe('documentsOfPage', () => {
  it('returns the terms, the site and the links of a page', async () => {
    const { page: document } = await documentsOfPage(page)
    expect(document.terms).toMatchObject({ title: ['tide'], headings: ['moor'] })
    expect(document.terms.body).toContain('noon')
    expect(document.terms.body).toContain('sail')
    expect(document.terms.address).toContain('exampl')
    expect(document.row).toMatchObject({ site: 'com.example.www', language: 'en', published_at: 5, news: 0 })
    expect(document.links).toEqual(['example.com/moon'])
  })

  it('returns the images with their texts and the title of the page', async () => {
    const { images } = await documentsOfPage(page)
    expect(images?.terms).toMatchObject({ title: ['a', 'boat'], headings: ['tide'] })
    if (!images) throw new Error('The page has pictures.')
    const pictures = imagesOf(images.row, await readBody(images.row.body))
    expect(pictures).toEqual([{ url: 'https://example.com/boat.jpg', text: 'A boat', width: 800 }])
    expect((await documentsOfPage({ ...page, fields: { ...fields, pictures: [] } })).images).toBeUndefined()
  })

  it('returns the same hash as long as the texts are the same', async () => {
    const hash = async (changes: object) =>
      (await documentsOfPage({ ...page, fields: { ...fields, ...changes } })).page.row.hash
    expect(await hash({ publishedAt: 9 })).toBe(await hash({}))
    expect(await hash({ text: 'Another' })).not.toBe(await hash({}))
  })
})

describe('pageKey', () => {
  it.each([
    ['https://www.example.com/', 'example.com'],
    ['http://example.com/a/index.html#b', 'example.com/a'],
    ['https://example.com/a/?q=1', 'example.com/a?q=1'],
  ])('returns the key of %s', (url, key) => {
    expect(pageKey(url)).toBe(key)
  })
})

describe('fingerprintOf', () => {
  const words = Array.from({ length: 2000 }, (_, index) => `word${(index * 7919) % 5000}`)

  it('returns similar fingerprints only if few words differ', () => {
    const edited = words.with(200, 'other')
    expect(areNearlySame(fingerprintOf(words), fingerprintOf(edited))).toBe(true)
    expect(areNearlySame(fingerprintOf(words), fingerprintOf(words.map((word) => `x${word}`)))).toBe(false)
  })

  it('returns no comparable fingerprint for short texts', () => {
    expect(areNearlySame(fingerprintOf(['a']), fingerprintOf(['a']))).toBe(false)
  })
})

describe('detectLanguage', () => {
  it.each([
    ['de-AT', 'Text', 'de'],
    [undefined, 'Plain text', 'en'],
    ['', 'Plain text', 'en'],
    ['xx', 'Plain text', undefined],
    [undefined, 'Книги и журналы', 'ru'],
    [undefined, '東京の天気', undefined],
    [undefined, 'الكتاب الجديد', 'ar'],
  ])('returns the language of %j %j', (tag, text, code) => {
    expect(detectLanguage(tag, text)).toBe(code)
  })
})

describe('packBody', () => {
  it.each(['', 'A boat', '(µ)', '東京の天気'.repeat(500), 'tide '.repeat(5000)])(
    'restores text %#',
    async (text) => {
      expect(await readBody(packBody(text))).toBe(text)
    },
  )

  it('compresses a text only if that makes it shorter', () => {
    expect(packBody('tide '.repeat(5000)).length).toBeLessThan(200)
    expect(packBody('A boat').length).toBe(6)
  })
})
