import type { ReactNode } from 'react'

/** An address that a page has named. Only http(s) becomes a link; it learns nothing of where it stood. */
export function UntrustedLink({ href, children }: { href: string; children?: ReactNode }) {
  const shown = children ?? href
  if (!isWebAddress(href)) return <span className="address">{shown}</span>
  return (
    <a className="address" href={href} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  )
}

function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
