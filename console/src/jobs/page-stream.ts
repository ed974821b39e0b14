import type { Document } from '../../../client/src/types.ts'

/** What the list shows of a page. Its content is read again when it is opened: ten thousand would not fit. */
export interface PageRow {
  id: string
  url: string
  title: string
  status: number
  /** Characters of its content. */
  size: number
}

const betweenPaints = 200

/** Pages as they arrive. Listeners hear of them at most five times a second, however fast they come. */
export class ArrivingPages {
  #rows: readonly PageRow[] = []
  #fresh: PageRow[] = []
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
      const row = rowOf(document)
      // A stream that was opened again tells everything anew.
      if (this.#ids.has(row.id)) continue
      this.#ids.add(row.id)
      this.#fresh.push(row)
    }
    if (this.#fresh.length > 0) this.#timer ??= setTimeout(() => this.#tell(), betweenPaints)
  }

  #tell(): void {
    this.#timer = undefined
    this.#rows = this.#rows.concat(this.#fresh)
    this.#fresh = []
    for (const listener of this.#listeners) listener()
  }
}

function rowOf(document: Document): PageRow {
  const { metadata } = document
  const content = document.markdown ?? document.html ?? document.rawHtml ?? document.summary
  const size = content?.length ?? (document.json === undefined ? 0 : JSON.stringify(document.json).length)
  const { scrapeId: id, url, title, statusCode: status } = metadata
  return { id, url, title: typeof title === 'string' ? title : '', status, size }
}
