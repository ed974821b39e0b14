import type { ReactNode } from 'react'

/** Link to an http(s) URL of a page. Other URLs are shown as text, because they could run a script. */
export function UrlLink({ url, children }: { url: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(url)) return <span>{children}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
