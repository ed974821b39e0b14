import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Copy } from '../../ui/copy.tsx'
import { formatQuantity } from '../../ui/units.ts'
import { UrlLink } from './url-link.tsx'

export interface LinkItem {
  url: string
  title?: string
  description?: string
}

/** Virtual list of URLs: it renders only the rows in view. */
export function UrlList({ items }: { items: LinkItem[] }) {
  const scrollElement = useRef<HTMLElement>(null)
  const [query, setQuery] = useState('')
  const searchText = query.trim().toLowerCase()
  const shown = items.filter(({ url, title = '' }) => `${url} ${title}`.toLowerCase().includes(searchText))
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scrollElement.current,
    estimateSize: () => 34,
    overscan: 12,
  })
  if (items.length === 0) return <p className="quiet">None.</p>
  return (
    <div className="source">
      <div className="row">
        <input
          type="search"
          aria-label="Find a URL"
          placeholder="Find"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        <Copy
          text={shown.map(({ url }) => url).join('\n')}
          name={`Copy ${formatQuantity(shown.length, 'URL')}`}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section className="addresses" ref={scrollElement} tabIndex={0} aria-label="URLs">
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const item = shown[index]
            return (
              item && (
                <li
                  key={key}
                  ref={rows.measureElement}
                  data-index={index}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <UrlLink url={item.url}>{item.title || item.url}</UrlLink>
                  {item.title && <span className="quiet">{item.url}</span>}
                  {item.description && <p className="about">{item.description}</p>}
                </li>
              )
            )
          })}
        </ul>
      </section>
    </div>
  )
}
