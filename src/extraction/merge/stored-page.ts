import type { TaskResult } from '../../content/page.ts'
import type { PageValues } from './merge-pages.ts'

export interface StoredPage {
  /** Requested URL; for a page that an agent browsed, the final URL. */
  url: string
  title?: string
  /** Values of the page by schema, as JSON in UTF-8; absent if it has none. */
  values?: Uint8Array<ArrayBuffer>
  /** Start of the values, for a language model. */
  shown?: string
  answer?: string
  links?: string[]
  /** Actions that an agent performed on the page, as text for a language model. */
  done?: string
  warnings: string[]
  error?: string
}

const maxShownCharacters = 2000
const maxLinks = 2000

/** Parses the stored document of a page. Call it in a worker thread, because documents can have several megabytes. */
export function readStoredPage(text: string, url: string): StoredPage {
  // The scrape of this page wrote the document.
  const document = JSON.parse(text) as StoredDocument
  const { title, error, url: finalUrl } = document.metadata ?? {}
  const { task, json } = document
  const pageUrl = task === undefined ? url : (finalUrl ?? url)
  const values = { url: pageUrl, value: json, evidence: document.jsonEvidence ?? {} }
  return {
    url: pageUrl,
    ...(task === undefined ? {} : { done: taskText(task) }),
    ...(title === undefined ? {} : { title }),
    ...(json === undefined ? {} : toValues(values)),
    ...(document.answer === undefined ? {} : { answer: document.answer }),
    ...(document.links === undefined ? {} : { links: document.links.slice(0, maxLinks) }),
    warnings: modelWarnings(document.warning ?? ''),
    ...(error === undefined || json !== undefined ? {} : { error }),
  }
}

const toValues = (values: PageValues) => ({
  values: new TextEncoder().encode(JSON.stringify(values)),
  shown: JSON.stringify(values.value).slice(0, maxShownCharacters),
})

export function parseValues(values: Uint8Array): PageValues {
  return JSON.parse(new TextDecoder().decode(values)) as PageValues
}

interface StoredDocument {
  json?: unknown
  jsonEvidence?: PageValues['evidence']
  answer?: string
  links?: string[]
  warning?: string
  task?: TaskResult
  metadata?: { title?: string; error?: string; url?: string }
}

function taskText({ steps, stopped }: TaskResult): string {
  return stopped === undefined ? steps : `${steps}\nIt was ended before it was done: ${stopped}.`
}

/** Drops warnings about missing data, which another page may have. */
function modelWarnings(warning: string): string[] {
  return warning
    .split(/(?=\b(?:json|question): )/)
    .map((part) => part.trim())
    .filter((part) => part.includes('language model'))
}
