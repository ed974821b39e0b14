import type { Document } from 'domhandler'
import { absoluteUrl, elementsOf } from './dom.ts'

/** The web addresses a page links to, absolute, each once, in document order. */
export function pageLinks(root: Document, base: string, pageUrl: string = base): string[] {
  const links = new Set<string>()
  const self = withoutFragment(pageUrl)
  for (const element of elementsOf(root)) {
    if (element.name !== 'a' && element.name !== 'area') continue
    const url = absoluteUrl(element.attribs.href, base)
    if (!url || !/^https?:/.test(url)) continue
    if (isPlaceOnPage(url, self) || isPlaceOnPage(url, withoutFragment(base))) continue
    links.add(url)
  }
  return [...links]
}

/** Sites that are one page name their pages "#/path" or "#!path"; other fragments are places on a page. */
function isPlaceOnPage(url: string, page: string): boolean {
  return url.includes('#') && withoutFragment(url) === page && !/#[/!]/.test(url)
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}
