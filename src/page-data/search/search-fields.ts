import type { Content } from '../../content/content.ts'
import { pageLinks } from '../../content/links.ts'
import { type PageDates, pageDates } from './page-dates.ts'
import { type PagePicture, pagePictures } from './page-pictures.ts'
import { headingsIn, plainText } from './plain-text.ts'

/** What a page can be found by. */
export interface SearchFields extends PageDates {
  title: string
  headings: string
  /** The main content as text. */
  text: string
  description: string
  language: string | undefined
  isNews: boolean
  pictures: PagePicture[]
  links: string[]
}

/** A page is found by its first pages of text; the rest would crowd out other pages. */
const mostText = 200_000
const mostHeadings = 5000
const mostLinks = 1000

/** What others say of the page. */
export interface SearchWish {
  /** When it was changed, where it does not say so itself. */
  modifiedAt?: number | undefined
}

export function searchFields(content: Content, url: string, told: SearchWish = {}): SearchFields {
  const { title = '', description = '', language, 'og:type': kind } = content.metadata()
  const markdown = content.mainContent().slice(0, mostText)
  const { publishedAt, modifiedAt, isNewsArticle } = pageDates(content.tree(), content.metadata())
  return {
    title,
    description,
    language,
    headings: headingsIn(markdown).slice(0, mostHeadings),
    text: plainText(markdown),
    publishedAt,
    modifiedAt: modifiedAt ?? told.modifiedAt,
    isNews: isNewsArticle || (kind === 'article' && publishedAt !== undefined),
    pictures: pagePictures(content.tree(), content.base()),
    links: pageLinks(content.tree(), { base: content.base(), pageUrl: url }).slice(0, mostLinks),
  }
}
