import { type Html, raw } from '../html.ts'
import { type Random, seeded } from '../random.ts'
import type { Schema } from '../schema.ts'
import type { Expected } from '../template.ts'

/** Pages of one site that differ only in their values, and the same site after it got a new look. */
export interface LearnedSite {
  name: string
  schema: Schema
  page(random: Random): SitePage
}

export interface SitePage {
  path: string
  expected: Expected
  /** Structured data that states the values; the first pages of a site may have it. */
  data: Html
  look(data: Html): Html
  newLook(data: Html): Html
}

export interface ServedPage {
  path: string
  html: string
  expected: Expected
}

export const pagesPerSite = 12
/** After this many pages a site is known. */
export const taughtPages = 3

/** The pages of a look; where a site is taught, the first of them carry structured data. */
export function sitePages(site: LearnedSite, look: 'look' | 'newLook', isTaught: boolean): ServedPage[] {
  return Array.from({ length: pagesPerSite }, (_, place) => {
    const page = site.page(seeded(`${site.name}/${look}/${place}`))
    const data = isTaught && place < taughtPages ? page.data : raw('')
    // A new look keeps the shape of the addresses.
    const path = `${page.path}-${look === 'look' ? place : pagesPerSite + place}`
    return { path, html: page[look](data).html, expected: page.expected }
  })
}

export const ld = (value: Html): Html => raw(`<script type="application/ld+json">${value.html}</script>\n`)
