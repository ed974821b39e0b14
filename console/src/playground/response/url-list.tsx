import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Copy } from '../../ui/copy.tsx'
import { Address } from './url-link.tsx'

export interface Found {
  url: string
  title?: string
  description?: string
}

/** URLs, as many as there are: only those in sight are drawn. */
export function UrlList({ found }: { found: Found[] }) {
  const box = useRef<HTMLElement>(null)
  const [text, setText] = useState('')
  const word = text.trim().toLowerCase()
  const shown = found.filter(({ url, title = '' }) => `${url} ${title}`.toLowerCase().includes(word))
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => 34,
    overscan: 12,
  })
  if (found.length === 0) return <p className="quiet">None.</p>
  return (
    <div className="source">
      <div className="row">
        <input
          type="search"
          aria-label="Find a URL"
          placeholder="Find"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Copy
          text={shown.map(({ url }) => url).join('\n')}
          name={`Copy ${shown.length.toLocaleString('en')}`}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="addresses" ref={box} tabIndex={0} aria-label="URLs">
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const one = shown[index]
            return (
              one && (
                <li
                  key={key}
                  ref={rows.measureElement}
                  data-index={index}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Address url={one.url}>{one.title || one.url}</Address>
                  {one.title && <span className="quiet">{one.url}</span>}
                  {one.description && <p className="about">{one.description}</p>}
                </li>
              )
            )
          })}
        </ul>
      </section>
    </div>
  )
}
