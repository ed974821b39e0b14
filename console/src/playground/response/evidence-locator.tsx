import { useMemo } from 'react'
import { UntrustedPage } from '../../ui/untrusted-page.tsx'

/** Source of a value on its page. */
export interface Evidence {
  text: string
  reader: string
  selector?: string
  property?: string
}

const contextLength = 160

/**
 * Shows the source of a value: its element in the HTML if the response contains HTML, else its context in the
 * Markdown.
 */
export function EvidenceLocator({
  evidence,
  document: page,
}: {
  evidence: Evidence
  document: Record<string, unknown>
}) {
  const { selector, text } = evidence
  const excerpt = useMemo(
    () =>
      [page.rawHtml, page.html]
        .filter((source) => typeof source === 'string')
        .map((source) => findExcerpt(source, selector, text))
        .find((found) => found !== undefined),
    [page, selector, text],
  )
  if (excerpt !== undefined) return <UntrustedPage html={excerpt} title="Position of the value on the page" />
  const { markdown } = page
  const textIndex = typeof markdown === 'string' ? markdown.indexOf(text) : -1
  if (typeof markdown !== 'string' || textIndex < 0) {
    return <p className="quiet">Also request the format rawHtml to see the position on the page.</p>
  }
  return (
    <blockquote className="excerpt">
      …{markdown.slice(Math.max(0, textIndex - contextLength), textIndex)}
      <mark>{text}</mark>
      {markdown.slice(textIndex + text.length, textIndex + text.length + contextLength)}…
    </blockquote>
  )
}

/**
 * Returns the HTML of the element and its surroundings, with the element marked. Uses an inert document, so nothing
 * runs or loads.
 */
function findExcerpt(html: string, selector: string | undefined, text: string): string | undefined {
  if (selector === undefined) return undefined
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const element = findElement(parsed, selector)
  if (!element || !normalizeSpace(element.textContent ?? '').includes(normalizeSpace(text).slice(0, 40)))
    return undefined
  element.setAttribute('data-winnow-evidence', '')
  let container = element
  while (
    container.parentElement &&
    container.tagName !== 'BODY' &&
    (container.textContent ?? '').length < 600
  ) {
    container = container.parentElement
  }
  return container.tagName === 'HEAD' || container.closest('head') ? undefined : container.outerHTML
}

function findElement(root: Document, selector: string): Element | null {
  try {
    return root.querySelector(selector)
  } catch {
    return null
  }
}

function normalizeSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
