import type { TaskResult } from '../../content/page.ts'
import type { PageValues } from './merging.ts'

/** One page of a job, as its stored document describes it. */
export interface StoredPage {
  /** The requested address; of a page that an agent browsed, the address where that ended. */
  url: string
  title?: string
  /** What the page says by the schema, as JSON in UTF-8; absent if it says nothing of it. */
  values?: Uint8Array<ArrayBuffer>
  /** The beginning of those values, for a language model. */
  shown?: string
  /** Its answer to a question. */
  answer?: string
  /** Addresses that it links to, if they were asked for. */
  links?: string[]
  /** What was done on it before it was read, in the words of a language model. */
  done?: string
  warnings: string[]
  error?: string
}

const maxShownCharacters = 2000
const maxLinks = 2000

/** Reads the stored document of a page. A document can have megabytes, so this runs in a worker thread. */
export function readStoredPage(text: string, url: string): StoredPage {
  // Written by the scrape of this page.
  const document = JSON.parse(text) as StoredDocument
  const { title, error, url: shownUrl } = document.metadata ?? {}
  const { task, json } = document
  const place = task === undefined ? url : (shownUrl ?? url)
  return {
    url: place,
    ...(task === undefined ? {} : { done: wordsOfTask(task) }),
    ...(title === undefined ? {} : { title }),
    ...(json === undefined
      ? {}
      : valuesOf({ url: place, value: json, evidence: document.jsonEvidence ?? {} })),
    ...(document.answer === undefined ? {} : { answer: document.answer }),
    ...(document.links === undefined ? {} : { links: document.links.slice(0, maxLinks) }),
    warnings: modelWarnings(document.warning ?? ''),
    ...(error === undefined || json !== undefined ? {} : { error }),
  }
}

function valuesOf(values: PageValues): Pick<StoredPage, 'values' | 'shown'> {
  return {
    values: new TextEncoder().encode(JSON.stringify(values)),
    shown: JSON.stringify(values.value).slice(0, maxShownCharacters),
  }
}

/** The values that `readStoredPage` wrote. */
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

function wordsOfTask({ steps, stopped }: TaskResult): string {
  return stopped === undefined ? steps : `${steps}\nIt was ended before it was done: ${stopped}.`
}

/** What one page lacks another may have, so only what is said of the model is passed on. */
function modelWarnings(warning: string): string[] {
  return warning
    .split(/(?=\b(?:json|question): )/)
    .map((part) => part.trim())
    .filter((part) => part.includes('language model'))
}
