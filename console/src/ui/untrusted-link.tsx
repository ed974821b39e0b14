import type { ReactNode } from 'react'

/** URL from an untrusted page. Only http(s) becomes a link, and the link sends no referrer. */
export function UntrustedLink({ href, children }: { href: string; children?: ReactNode }) {
  const label = children ?? href
  if (!isWebUrl(href)) return <span className="address">{label}</span>
  return (
    <a className="address" href={href} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  )
}

function isWebUrl(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
