import { useMemo } from 'react'
import { applyPageStyles, parseUntrustedHtml } from './untrusted-html.ts'

/**
 * The HTML of strangers, shut in: no script, no form, no request, no way out. The frame has the origin of this page so
 * that it can be given its styles from here; without `allow-scripts` nothing inside can make use of that.
 */
export function UntrustedPage({ html, title }: { html: string; title: string }) {
  const { markup, sheets } = useMemo(() => parseUntrustedHtml(html), [html])
  return (
    <iframe
      className="stranger"
      title={title}
      sandbox="allow-same-origin"
      srcDoc={markup}
      onLoad={(event) => applyPageStyles(event.currentTarget, sheets)}
      referrerPolicy="no-referrer"
    />
  )
}
