import { escapeAttribute, escapeText } from 'entities'
import type { FoundPlace, ShownPage } from '../../features/documentation/documentation.ts'
import type { OutlineGroup } from '../../features/documentation/outline.ts'

/** What stands around every page. */
export interface Frame {
  outline: readonly OutlineGroup[]
  hasConsole: boolean
}

interface Shell {
  title: string
  /** Of the page that is shown, where it is one. */
  url: string | undefined
  question: string
  main: string
  contents: ShownPage['contents']
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230f6b5c'/%3E%3Cpath d='M6 10l5 13 5-10 5 10 5-13' fill='none' stroke='%23fff' stroke-width='3'/%3E%3C/svg%3E"

/** A page of the documentation, as HTML. */
export function docsPage(page: ShownPage, frame: Frame): string {
  return shell({ ...page, question: '', main: page.html }, frame)
}

/** What a search came to. */
export function foundPage(question: string, found: readonly FoundPlace[], frame: Frame): string {
  const none =
    '<p>No page has enough of these words. Ask with the names of options, settings or errors, or look at the <a href="/docs/reference">reference</a>.</p>'
  const list = found.length === 0 ? none : `<ol class="found">${found.map(foundItem).join('')}</ol>`
  const main = `<h1>${question === '' ? 'Search' : `Search: ${escapeText(question)}`}</h1>${question === '' ? '' : list}`
  return shell({ title: 'Search', url: undefined, question, main, contents: [] }, frame)
}

/** In place of a page that is not there. */
export function missingPage(frame: Frame): string {
  const main =
    '<h1>There is no such page</h1><p>Search for it above, or look at the <a href="/docs">list of pages</a>.</p>'
  return shell({ title: 'Not found', url: undefined, question: '', main, contents: [] }, frame)
}

function foundItem({ title, headings, url, passage }: FoundPlace): string {
  const above = headings.length === 0 ? '' : `<p class="quiet">${escapeText(headings.join(' › '))}</p>`
  return `<li><a href="${escapeAttribute(url)}">${escapeText(title)}</a>${above}<p>${escapeText(passage)}</p></li>`
}

function shell({ title, url, question, main, contents }: Shell, { outline, hasConsole }: Frame): string {
  const markdown = url === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${url}.md">`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · Winnow</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/docs/docs.css">
${markdown}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="name" href="/docs">Winnow</a>
<form action="/docs/find" role="search"><input type="search" name="q" value="${escapeAttribute(question)}" placeholder="Search ( / )" aria-label="Search the documentation" maxlength="200"></form>
<nav aria-label="Service"><a class="to-pages" href="#pages">Pages</a><a href="/docs/reference">Reference</a>${hasConsole ? '<a href="/console/">Console</a>' : ''}</nav>
</header>
<div class="columns">
<main id="main" tabindex="-1">
${main}
</main>
<nav class="pages" id="pages" aria-label="Pages">${outline.map((group) => groupHtml(group, url)).join('')}</nav>
${contentsHtml(contents)}
</div>
<script src="/docs/docs.js"></script>
</body>
</html>
`
}

function groupHtml({ title, entries }: OutlineGroup, current: string | undefined): string {
  const items = entries.map(({ page, title: name }) => {
    const state = page.url === current ? ' aria-current="page"' : ''
    return `<li><a href="${escapeAttribute(page.url)}"${state}>${escapeText(name)}</a></li>`
  })
  return `<h2>${escapeText(title)}</h2><ul>${items.join('')}</ul>`
}

function contentsHtml(contents: ShownPage['contents']): string {
  if (contents.length < 2) return ''
  const items = contents.map(
    ({ title, anchor }) => `<li><a href="#${escapeAttribute(anchor)}">${escapeText(title)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}
