import { digest } from '../../base/digest.ts'
import type { SearchFields } from '../../page-data/search/search-fields.ts'
import { analyse } from '../../reading/text/analyse.ts'
import { detectLanguage } from '../../reading/text/detect-language.ts'
import { type Language, loadLanguage } from '../../reading/text/languages.ts'
import { splitWords } from '../../reading/text/words.ts'
import { modelKnows } from '../sentence-model/known-language.ts'
import type { IndexedDocument } from './add-documents.ts'
import { packBody } from './body.ts'
import { turnHost } from './find-documents.ts'
import { fingerprintOf } from './fingerprint.ts'
import { pageKey } from './page-key.ts'

/** A page that was kept, as far as search is concerned. */
export interface PageToIndex {
  url: string
  /** The type of the file that it came as: `html`, `pdf`. */
  type: string
  fetchedAt: number
  expiresAt: number
  fields: SearchFields
}

/** A page → the documents by which it and its pictures are found. */
export async function indexPage(
  page: PageToIndex,
): Promise<{ page: IndexedDocument; images: IndexedDocument[] }> {
  const { fields } = page
  const code = detectLanguage(fields.language, fields.text)
  const language = await loadLanguage(code)
  const document = pageDocument(page, language, code)
  const own = document.row.page_key
  return {
    page: { ...document, links: fields.links.map(pageKey).filter((key) => key !== own) },
    images: fields.pictures.map((picture) => imageDocument(picture, document, language)),
  }
}

function pageDocument(page: PageToIndex, language: Language, code: string | undefined): IndexedDocument {
  const { fields, url } = page
  const terms = {
    title: analyse(fields.title, language),
    headings: analyse(fields.headings, language),
    address: analyse(addressWords(url), language),
    body: analyse(`${fields.description}\n${fields.text}`, language),
  }
  return {
    row: {
      ...rowOf(page, code),
      document_key: pageKey(url),
      title: fields.title,
      hash: digest([fields.title, '\0', fields.headings, '\0', fields.description, '\0', fields.text]),
      fingerprint: fingerprintOf(terms.body),
      ...{ image_url: null, image_width: null, image_height: null },
      body: packBody(`${fields.description}\n${fields.text}`),
      vector_due: modelKnows(code) ? 0 : null,
    },
    terms,
    links: [],
  }
}

/** A picture is found by its own words first, then by those of its page. */
function imageDocument(
  { url, text, width, height }: SearchFields['pictures'][number],
  { row: of, terms }: IndexedDocument,
  language: Language,
): IndexedDocument {
  return {
    row: {
      ...of,
      document_key: `${of.page_key} ${digest([url])}`,
      title: text || of.title,
      hash: digest([url, '\0', text, '\0', of.title, `\0${width}x${height}`]),
      fingerprint: '',
      ...{ image_url: url, image_width: width ?? null, image_height: height ?? null },
      body: packBody(`${text}\n${of.title}`),
      vector_due: null,
    },
    terms: {
      title: analyse(text, language),
      headings: terms.title,
      address: analyse(addressWords(url), language),
      body: [],
    },
    links: [],
  }
}

function rowOf({ url, type, fetchedAt, expiresAt, fields }: PageToIndex, code: string | undefined) {
  const { hostname } = new URL(url)
  return {
    ...{ page_key: pageKey(url), url, site: turnHost(hostname), type, language: code ?? null },
    ...{ published_at: fields.publishedAt ?? fields.modifiedAt ?? null, fetched_at: fetchedAt },
    ...{ expires_at: expiresAt, news: fields.isNews ? 1 : 0, vector: null },
  }
}

/** The words in a path, and the name of the site. */
function addressWords(url: string): string {
  const { hostname, pathname } = new URL(url)
  return splitWords(`${hostname.replace(/^www\./, '')} ${pathname.slice(0, 500)}`).join(' ')
}
