import { useMemo } from 'react'
import { UntrustedPage } from '../../ui/untrusted-page.tsx'

/** Where a value stands on its page. */
export interface Evidence {
  text: string
  reader: string
  selector?: string
  property?: string
}

const around = 160

/** The surroundings of a value: of its element in the HTML, if that is part of the answer, or in the Markdown. */
export function EvidenceLocator({
  evidence,
  document: page,
}: {
  evidence: Evidence
  document: Record<string, unknown>
}) {
  const { selector, text } = evidence
  const html = useMemo(
    () =>
      [page.rawHtml, page.html]
        .filter((one) => typeof one === 'string')
        .map((one) => surroundings(one, selector, text))
        .find((one) => one !== undefined),
    [page, selector, text],
  )
  if (html !== undefined) return <UntrustedPage html={html} title="Position of the value on the page" />
  const { markdown } = page
  const at = typeof markdown === 'string' ? markdown.indexOf(text) : -1
  if (typeof markdown !== 'string' || at < 0) {
    return <p className="quiet">Request the format rawHtml too to see the position on the page.</p>
  }
  return (
    <blockquote className="excerpt">
      …{markdown.slice(Math.max(0, at - around), at)}
      <mark>{text}</mark>
      {markdown.slice(at + text.length, at + text.length + around)}…
    </blockquote>
  )
}

/** The element with what is around it, marked. The tree is made without running or loading anything. */
function surroundings(html: string, selector: string | undefined, text: string): string | undefined {
  if (selector === undefined) return undefined
  const tree = new DOMParser().parseFromString(html, 'text/html')
  const found = find(tree, selector)
  if (!found || !squeezed(found.textContent ?? '').includes(squeezed(text).slice(0, 40))) return undefined
  found.setAttribute('data-winnow-place', '')
  let place = found
  while (place.parentElement && place.tagName !== 'BODY' && (place.textContent ?? '').length < 600) {
    place = place.parentElement
  }
  return place.tagName === 'HEAD' || place.closest('head') ? undefined : place.outerHTML
}

function find(tree: Document, selector: string): Element | null {
  try {
    return tree.querySelector(selector)
  } catch {
    return null
  }
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
