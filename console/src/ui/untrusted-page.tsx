import { useMemo } from 'react'
import { applyPageStyles, parseUntrustedHtml } from './untrusted-html.ts'

/**
 * Untrusted HTML in a sandboxed frame: no scripts, no forms, no requests, no top-level navigation.
 * `allow-same-origin` lets the console apply styles. Without `allow-scripts`, the content cannot use that origin.
 */
export function UntrustedPage({ html, title }: { html: string; title: string }) {
  const { markup, sheets } = useMemo(() => parseUntrustedHtml(html), [html])
  return (
    <iframe
      className="untrusted-page"
      title={title}
      sandbox="allow-same-origin"
      srcDoc={markup}
      onLoad={(event) => applyPageStyles(event.currentTarget, sheets)}
      referrerPolicy="no-referrer"
    />
  )
}
