import { digest } from '../../base/digest.ts'
import type { SearchFields } from '../../page-data/search/search-fields.ts'
import { analyse, analyseBody } from '../../reading/text/analyse.ts'
import { detectLanguage } from '../../reading/text/detect-language.ts'
import { type Language, loadLanguage } from '../../reading/text/languages.ts'
import { splitWords } from '../../reading/text/words.ts'
import { modelKnows } from '../sentence-model/known-language.ts'
import type { IndexedDocument } from './add-documents.ts'
import { packBody } from './body.ts'
import { reverseHost } from './document-filter.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { DocumentTerms } from './page-index.ts'
import { pageKey } from './page-key.ts'
import type { DocumentTable } from './tables.ts'

/** A stored page with the fields by which it can be found. */
export interface PageToIndex {
  url: string
  /** Type of the file: `html`, `pdf`. */
  type: string
  fetchedAt: number
  expiresAt: number
  fields: SearchFields
}

/** Links of a page that count. Further ones are mostly those of its menus. */
const maxLinks = 50

/** Returns the documents by which a page and its images are found. */
export async function documentsOfPage(
  page: PageToIndex,
): Promise<{ page: IndexedDocument; images: IndexedDocument | undefined }> {
  const { fields } = page
  const code = detectLanguage(fields.language, fields.text)
  const language = await loadLanguage(code)
  const document = pageDocument(page, language, code)
  const own = document.row.page_key
  return {
    page: {
      ...document,
      links: fields.links
        .slice(0, maxLinks)
        .map(pageKey)
        .filter((key) => key !== own),
    },
    images: fields.pictures.length > 0 ? imagesDocument(fields.pictures, document, language) : undefined,
  }
}

/** Returns the terms of a stored document, to index it again. Headings are part of the text. */
export async function termsOfDocument(
  row: PictureRow & Pick<DocumentTable, 'url' | 'language'>,
  text: string,
): Promise<DocumentTerms> {
  const language = await loadLanguage(row.language ?? undefined)
  const title = analyse(row.title, language)
  const pictures = picturesOf(row, text)
  if (pictures) {
    const words = pictures.map((picture) => picture.text).join(' ')
    return { title: analyse(words, language), headings: title, address: [], body: [] }
  }
  const address = analyse(addressWords(row.url), language)
  return { title, headings: [], address, body: analyseBody(text, language) }
}

function pageDocument(page: PageToIndex, language: Language, code: string | undefined): IndexedDocument {
  const { fields, url } = page
  const text = `${fields.description}\n${fields.text}`
  const terms = {
    title: analyse(fields.title, language),
    headings: analyse(fields.headings, language),
    address: analyse(addressWords(url), language),
    body: analyseBody(text, language),
  }
  return {
    row: {
      ...rowOf(page, code),
      document_key: pageKey(url),
      title: fields.title,
      hash: digest([fields.title, '\0', fields.headings, '\0', fields.description, '\0', fields.text]),
      fingerprint: fingerprintOf(terms.body),
      ...{ image_url: null, image_width: null, image_height: null },
      body: packBody(text),
      vector_due: modelKnows(code) ? 0 : null,
    },
    terms,
    links: [],
  }
}

/** All images of a page are one document, found by their words and by the title of the page. */
function imagesDocument(
  pictures: SearchFields['pictures'],
  { row: of, terms }: IndexedDocument,
  language: Language,
): IndexedDocument {
  const body = JSON.stringify(pictures)
  return {
    row: {
      ...of,
      document_key: `${of.page_key} images`,
      hash: digest([of.title, '\0', body]),
      ...{ fingerprint: '', body: packBody(body), vector_due: null },
    },
    terms: {
      title: analyse(pictures.map(({ text }) => text).join(' '), language),
      ...{ headings: terms.title, address: [], body: [] },
    },
    links: [],
  }
}

/** The images of a document that has them; undefined for a page. */
export function picturesOf(
  { document_key, image_url, image_width, image_height, title }: PictureRow,
  text: string,
): SearchFields['pictures'] | undefined {
  // An index of an older version has a document for each image.
  if (image_url !== null)
    return [
      { url: image_url, text: title, width: image_width ?? undefined, height: image_height ?? undefined },
    ]
  // This file has written it.
  return document_key.endsWith(' images') ? (JSON.parse(text) as SearchFields['pictures']) : undefined
}

export type PictureRow = Pick<
  DocumentTable,
  'document_key' | 'image_url' | 'image_width' | 'image_height' | 'title'
>

function rowOf({ url, type, fetchedAt, expiresAt, fields }: PageToIndex, code: string | undefined) {
  const { hostname } = new URL(url)
  return {
    ...{ page_key: pageKey(url), url, site: reverseHost(hostname), type, language: code ?? null },
    ...{ published_at: fields.publishedAt ?? fields.modifiedAt ?? null, fetched_at: fetchedAt },
    ...{ expires_at: expiresAt, news: fields.isNews ? 1 : 0, vector: null },
  }
}

/** The words in a path, and the name of the site. */
function addressWords(url: string): string {
  const { hostname, pathname } = new URL(url)
  return splitWords(`${hostname.replace(/^www\./, '')} ${pathname.slice(0, 500)}`).join(' ')
}
