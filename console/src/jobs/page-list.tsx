import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useCallback, useRef, useState } from 'react'
import { Empty } from '../ui/page.tsx'
import { formatCharacters } from '../ui/units.ts'
import type { PageRow } from './page-stream.ts'

interface PageListProps {
  rows: readonly PageRow[]
  isRunning: boolean
  openedId: string | undefined
  onOpen: (id: string) => void
}

const rowHeight = 52
const keySteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

/** Virtual list of pages: it renders only the rows in view. */
export function PageList({ rows, isRunning, openedId, onOpen }: PageListProps) {
  const scrollElement = useRef<HTMLDivElement>(null)
  const [currentIndex, setCurrentIndex] = useState(0)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollElement.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const open = useCallback(
    (index: number, id: string) => {
      setCurrentIndex(index)
      onOpen(id)
    },
    [onOpen],
  )
  const goTo = (index: number) => {
    const clampedIndex = Math.max(0, Math.min(rows.length - 1, index))
    setCurrentIndex(clampedIndex)
    list.scrollToIndex(clampedIndex)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[currentIndex]
    if (event.key === 'Home') goTo(0)
    else if (event.key === 'End') goTo(rows.length - 1)
    else if (event.key in keySteps) goTo(currentIndex + (keySteps[event.key] ?? 0))
    else if ((event.key === 'Enter' || event.key === ' ') && row) onOpen(row.id)
    else return
    event.preventDefault()
  }
  if (rows.length === 0) return <Empty>{isRunning ? 'No pages yet.' : 'No pages.'}</Empty>
  return (
    <div
      ref={scrollElement}
      className="page-list"
      role="listbox"
      tabIndex={0}
      aria-label="Pages"
      aria-activedescendant={`page-${currentIndex}`}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (!row) return null
          const position = { index, start, count: rows.length, isCurrent: index === currentIndex }
          return <Row key={row.id} row={row} {...position} isOpen={row.id === openedId} onOpen={open} />
        })}
      </div>
    </div>
  )
}

interface RowProps {
  row: PageRow
  index: number
  start: number
  count: number
  isCurrent: boolean
  isOpen: boolean
  onOpen: (index: number, id: string) => void
}

/** Memoised, so that scrolling does not re-render the rows that stay in view. */
const Row = memo(function Row({ row, index, start, count, isCurrent, isOpen, onOpen }: RowProps) {
  return (
    // The list has the focus and handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={`page-${index}`}
      className={isCurrent ? 'page-row current' : 'page-row'}
      role="option"
      aria-selected={isOpen}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ height: rowHeight, transform: `translateY(${start}px)` }}
      onClick={() => onOpen(index, row.id)}
    >
      <span className={row.status >= 400 ? 'badge bad' : 'badge good'}>{row.status}</span>
      <span className="page-name">
        <span className="page-title">{row.title || '(no title)'}</span>
        <span className="page-address">{row.url}</span>
      </span>
      <span className="quiet">{formatCharacters(row.size)}</span>
    </div>
  )
})
