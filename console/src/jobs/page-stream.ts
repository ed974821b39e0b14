import type { Document } from '../../../client/src/types.ts'

/**
 * Row of the page list. Content is fetched when a row is opened: the content of 10,000 pages does not fit into
 * memory.
 */
export interface PageRow {
  id: string
  url: string
  title: string
  status: number
  /** Characters of the content. */
  size: number
}

const notifyIntervalMs = 200

/** Collects pages from the event stream. Notifies its listeners at most five times per second. */
export class PageStream {
  #rows: readonly PageRow[] = []
  #pending: PageRow[] = []
  #ids = new Set<string>()
  #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  rows = () => this.#rows

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  add(documents: Document[]): void {
    for (const document of documents) {
      const row = toRow(document)
      // A reconnected stream sends all pages again.
      if (this.#ids.has(row.id)) continue
      this.#ids.add(row.id)
      this.#pending.push(row)
    }
    if (this.#pending.length > 0) this.#timer ??= setTimeout(() => this.#notify(), notifyIntervalMs)
  }

  #notify(): void {
    this.#timer = undefined
    this.#rows = this.#rows.concat(this.#pending)
    this.#pending = []
    for (const listener of this.#listeners) listener()
  }
}

function toRow(document: Document): PageRow {
  const { metadata } = document
  const content = document.markdown ?? document.html ?? document.rawHtml ?? document.summary
  const size = content?.length ?? (document.json === undefined ? 0 : JSON.stringify(document.json).length)
  const { scrapeId: id, url, title, statusCode: status } = metadata
  return { id, url, title: typeof title === 'string' ? title : '', status, size }
}
