import { load } from 'cheerio'
import type { System } from './system.ts'
import { toMarkdown } from './turndown.ts'

const tags = ['header', 'footer', 'nav', 'aside', 'script', 'style', 'noscript', 'template', 'iframe', 'svg']
const names = [
  ...['header', 'footer', 'nav', 'navbar', 'navigation', 'menu', 'breadcrumb', 'breadcrumbs', 'sidebar'],
  ...['aside', 'widget', 'modal', 'popup', 'overlay', 'cookie', 'consent', 'ad', 'ads', 'advert'],
  ...['social', 'share', 'newsletter', 'related', 'language'],
]
// In many forums, the body element has one of these names as its id, so they are only matched as classes.
const classes = ['top', 'bottom', 'side']
const removedSelector = [
  ...tags,
  ...names.flatMap((name) => [`.${name}`, `#${name}`]),
  ...classes.map((name) => `.${name}`),
].join(',')

/** Removes a fixed list of elements and uses the rest as content, as many services do. */
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
