import { kindOf } from '../content/content-type.ts'
import type { Page } from '../content/page.ts'
import { type BodyBound, pageTooLarge } from '../network/body.ts'
import type { PageBounds } from './fetch-plan.ts'

/** The settings that the bounds come from. */
const settings: Record<keyof PageBounds, string> = {
  html: 'MAX_HTML_MB',
  text: 'MAX_TEXT_MB',
  file: 'MAX_FILE_MB',
}

/** What a body may have, by what its server calls it. A server that does not know is believed to send a file. */
export function bodyBound(headers: Record<string, string>, bounds: PageBounds): BodyBound {
  const kind = labelledKind(headers['content-type'] ?? '')
  return { bound: settings[kind], bytes: bounds[kind] }
}

function labelledKind(contentType: string): keyof PageBounds {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  return /^text\/(?!rtf|richtext)|[/+](?:json|xml|yaml|(?:java|ecma)script)$/.test(type) ? 'text' : 'file'
}

/** The same by what the page turned out to be. */
export function refuseLarge(page: Page, bounds: PageBounds): void {
  const size = page.text?.length ?? page.bytes.length
  if (size <= Math.min(bounds.html, bounds.text, bounds.file)) return
  const { name } = kindOf(page)
  const kind = name === 'html' ? 'html' : name === 'binary' ? 'file' : 'text'
  if (size > bounds[kind]) throw pageTooLarge({ bound: settings[kind], bytes: bounds[kind] })
}
