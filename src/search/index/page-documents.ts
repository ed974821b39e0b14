import type { SearchFields } from '../../extraction/page-parts/search/search-fields.ts'
import { analyse, analyseBody } from '../../extraction/text/analyse.ts'
import { detectLanguage } from '../../extraction/text/guess-language.ts'
import { type Language, loadLanguage } from '../../extraction/text/languages.ts'
import { splitWords } from '../../extraction/text/words.ts'
import { digest } from '../../platform/text.ts'
import { isModelLanguage } from '../sentence-model/known-language.ts'
import { reverseHost } from './document-filter.ts'
import { type IndexedDocument, packBody } from './documents.ts'
import type { DocumentTerms } from './page-index.ts'
import { fingerprintOf, pageKey } from './same-page.ts'
import type { DocumentTable } from './tables.ts'

export interface PageToIndex {
  url: string
  /** Type of the file: `html`, `pdf`. */
  type: string
  fetchedAt: number
  expiresAt: number
  fields: SearchFields
}

const maxLinks = 50

export async function documentsOfPage(
  page: PageToIndex,
): Promise<{ page: IndexedDocument; images: IndexedDocument | undefined }> {
  const { fields, url, type, fetchedAt, expiresAt } = page
  const { title, headings, description, pictures } = fields
  const code = detectLanguage(fields.language, fields.text)
  const language = await loadLanguage(code)
  const text = `${description}\n${fields.text}`
  const terms = pageTerms({ title, headings, url, text }, language)
  const key = pageKey(url)
  const row: IndexedDocument['row'] = {
    ...{ document_key: key, page_key: key, url, site: reverseHost(new URL(url).hostname), type, title },
    ...{ language: code ?? null, published_at: fields.publishedAt ?? fields.modifiedAt ?? null },
    ...{ fetched_at: fetchedAt, expires_at: expiresAt, news: fields.isNews ? 1 : 0 },
    hash: digest([title, '\0', headings, '\0', description, '\0', fields.text]),
    ...{ fingerprint: fingerprintOf(terms.body), body: packBody(text) },
    ...{ image_url: null, image_width: null, image_height: null },
    ...{ vector: null, vector_due: isModelLanguage(code) ? 0 : null },
  }
  const links = fields.links.slice(0, maxLinks).map(pageKey)
  const document = { row, terms, links: links.filter((link) => link !== key) }
  if (pictures.length === 0) return { page: document, images: undefined }
  // All images of a page are one document, found by their texts and by the title of the page.
  const body = JSON.stringify(pictures)
  const imageRow = {
    ...{ ...row, document_key: `${key} images`, hash: digest([title, '\0', body]), fingerprint: '' },
    ...{ body: packBody(body), vector_due: null },
  }
  const images = { row: imageRow, terms: imageTerms(pictures, terms.title, language), links: [] }
  return { page: document, images }
}

export async function termsOfDocument(
  row: ImageRow & Pick<DocumentTable, 'url' | 'language'>,
  text: string,
): Promise<DocumentTerms> {
  const { title, url } = row
  const language = await loadLanguage(row.language ?? undefined)
  const pictures = imagesOf(row, text)
  if (pictures) return imageTerms(pictures, analyse(title, language), language)
  return pageTerms({ title, headings: '', url, text }, language)
}

function pageTerms(
  { title, headings, url, text }: Record<'title' | 'headings' | 'url' | 'text', string>,
  language: Language,
): DocumentTerms {
  const { hostname, pathname } = new URL(url)
  const address = splitWords(`${hostname.replace(/^www\./, '')} ${pathname.slice(0, 500)}`).join(' ')
  return {
    title: analyse(title, language),
    headings: analyse(headings, language),
    address: analyse(address, language),
    body: analyseBody(text, language),
  }
}

function imageTerms(pictures: SearchFields['pictures'], pageTitle: string[], language: Language) {
  const title = analyse(pictures.map(({ text }) => text).join(' '), language)
  return { title, headings: pageTitle, address: [], body: [] }
}

export function imagesOf(row: ImageRow, text: string): SearchFields['pictures'] | undefined {
  const { document_key, image_url: url, image_width, image_height, title } = row
  // An index of an older version has one document per image.
  if (url !== null)
    return [{ url, text: title, width: image_width ?? undefined, height: image_height ?? undefined }]
  // `documentsOfPage` wrote the JSON, so its shape is known.
  return document_key.endsWith(' images') ? (JSON.parse(text) as SearchFields['pictures']) : undefined
}

type ImageRow = Pick<DocumentTable, 'document_key' | 'image_url' | 'image_width' | 'image_height' | 'title'>
