import { load } from 'cheerio'
import type { System } from './system.ts'
import { toMarkdown } from './turndown.ts'

const tags = ['header', 'footer', 'nav', 'aside', 'script', 'style', 'noscript', 'template', 'iframe', 'svg']
const names = [
  ...['header', 'footer', 'nav', 'navbar', 'navigation', 'menu', 'breadcrumb', 'breadcrumbs', 'sidebar'],
  ...['aside', 'widget', 'modal', 'popup', 'overlay', 'cookie', 'consent', 'ad', 'ads', 'advert'],
  ...['social', 'share', 'newsletter', 'related', 'language'],
]
// The body of many forums has these names as ids, so they are only used as classes.
const classes = ['top', 'bottom', 'side']
const removedSelector = [
  ...tags,
  ...names.flatMap((name) => [`.${name}`, `#${name}`]),
  ...classes.map((name) => `.${name}`),
].join(',')

/** Removes a fixed list of elements and uses the rest as content, like many services. */
export const selectorList: System = {
  name: 'selector-list',
  title: 'selector list on cheerio, turndown',
  packages: ['cheerio', 'turndown'],
  extract({ html }) {
    const $ = load(html)
    $(removedSelector).remove()
    return toMarkdown($.html())
  },
  convert: ({ html }) => toMarkdown(html),
}
