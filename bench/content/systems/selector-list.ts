import { load } from 'cheerio'
import type { System } from './system.ts'
import { toMarkdown } from './turndown.ts'

const tags = ['header', 'footer', 'nav', 'aside', 'script', 'style', 'noscript', 'template', 'iframe', 'svg']
const roles = ['banner', 'navigation', 'contentinfo', 'complementary', 'search', 'dialog']
const names = [
  ...[
    'header',
    'footer',
    'nav',
    'navbar',
    'navigation',
    'menu',
    'top',
    'bottom',
    'breadcrumb',
    'breadcrumbs',
  ],
  ...['sidebar', 'side', 'aside', 'widget', 'modal', 'popup', 'overlay', 'cookie', 'cookies', 'consent'],
  ...['ad', 'ads', 'advert', 'advertisement', 'sponsor', 'banner', 'social', 'share', 'newsletter'],
  ...['related', 'language', 'languages', 'search', 'skip-link'],
]
const unwanted = [
  ...tags,
  ...roles.map((role) => `[role="${role}"]`),
  ...names.flatMap((name) => [`.${name}`, `#${name}`]),
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
