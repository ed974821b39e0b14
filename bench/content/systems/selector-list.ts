import { load } from 'cheerio'
import type { System } from './system.ts'
import { toMarkdown } from './turndown.ts'

const tags = ['header', 'footer', 'nav', 'aside', 'script', 'style', 'noscript', 'template', 'iframe', 'svg']
const names = [
  ...['header', 'footer', 'nav', 'navbar', 'navigation', 'menu', 'breadcrumb', 'breadcrumbs', 'sidebar'],
  ...['aside', 'widget', 'modal', 'popup', 'overlay', 'cookie', 'consent', 'ad', 'ads', 'advert'],
  ...['social', 'share', 'newsletter', 'related', 'language'],
]
// As ids these are on the body of many forums.
const classes = ['top', 'bottom', 'side']
const unwanted = [
  ...tags,
  ...names.flatMap((name) => [`.${name}`, `#${name}`]),
  ...classes.map((name) => `.${name}`),
].join(',')

/** The simple way that many services go: a fixed list of what to remove, the rest is the content. */
export const selectorList: System = {
  name: 'selector-list',
  title: 'selector list on cheerio, turndown',
  packages: ['cheerio', 'turndown'],
  extract({ html }) {
    const $ = load(html)
    $(unwanted).remove()
    return toMarkdown($.html())
  },
  convert: ({ html }) => toMarkdown(html),
}
