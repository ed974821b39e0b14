import type { Message, ToolCall } from '../../platform/ports/language-model.ts'
import { cutToTokens, estimateTokens } from '../../platform/text.ts'

/** The amount of outcomes and older pages that is sent again, newest first; a long task must not exceed the context of the model. */
const keptTokens = 20_000
const keptOfPage = 12_000
/** The least part of the room that is left for what was done, beside the page. */
const historyShare = 1 / 4
/** For the notes of what is left out, and for the last word of the service. */
const spareTokens = 500

type Entry =
  | { role: 'user'; text: string; page: string | undefined }
  | { role: 'model'; text: string; calls: ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string; page: string | undefined }

/**
 * The conversation so far, and the part of it that is sent to the model again. `room`: tokens that one call to the model takes,
 * beside the system prompt and the tools.
 */
export function createTranscript(room: number) {
  const entries: Entry[] = []
  return {
    /** The request of the user, or the initial page. */
    ask: (text: string, page?: string) => void entries.push({ role: 'user', text, page }),
    /** An answer of the model. */
    heard: (text: string, calls: ToolCall[]) => void entries.push({ role: 'model', text, calls }),
    /** The outcome of a call; `page` is the current page, if included. */
    answer: (call: ToolCall, text: string, page?: string) =>
      void entries.push({ role: 'tool', call, text, page }),
    messages: () => shortened(entries, room - spareTokens),
  }
}

export type Transcript = ReturnType<typeof createTranscript>

/**
 * Only the latest page is sent completely, if it fits the model. Older ones keep their text for a while, without refs, which
 * are no longer valid. What was asked and what the model said stays.
 */
function shortened(entries: Entry[], room: number): Message[] {
  const latest = entries.findLast((entry) => 'page' in entry && entry.page !== undefined)
  const beside = room - entries.reduce((sum, entry) => sum + fixedTokens(entry), 0)
  const shownPage = cutPage(
    (latest && 'page' in latest && latest.page) || '',
    Math.floor(beside * (1 - historyShare)),
  )
  let left = Math.min(keptTokens, beside - estimateTokens(shownPage))
  const kept = (text: string, isNewest = false) => {
    const fitting = isNewest ? cutPage(text, left) : text
    left -= estimateTokens(fitting)
    return left >= 0 ? fitting : '(left out, as it is long ago)'
  }
  const newest = entries.at(-1)
  return entries
    .toReversed()
    .map((entry): Message => {
      if (entry.role === 'model') return entry
      const older = entry.page === undefined ? undefined : () => kept(withoutRefs(entry.page ?? ''))
      const page = entry === latest ? shownPage : older?.()
      const shown = page === undefined ? '' : `\n${page}`
      if (entry.role === 'user') return { role: 'user', text: `${entry.text}${shown}` }
      return { role: 'tool', call: entry.call, text: `${kept(entry.text, entry === newest)}${shown}` }
    })
    .reverse()
}

function fixedTokens(entry: Entry): number {
  if (entry.role === 'user') return estimateTokens(entry.text)
  return entry.role === 'model' ? estimateTokens(`${entry.text}${JSON.stringify(entry.calls)}`) : 0
}

const cutNote = '\n(the rest is left out: the model takes no more at a time)'

/** The marks at both ends stay. */
function cutPage(page: string, tokens: number): string {
  if (estimateTokens(page) <= tokens) return page
  const end = lastLine(page)
  const most = Math.max(0, tokens - estimateTokens(`${cutNote}${end}`))
  return `${cutToTokens(page, most)}${cutNote}${end}`
}

/** The marks at both ends stay. */
function withoutRefs(page: string): string {
  const words = page.replaceAll(/ \[(?:ref=\w+|cursor=pointer|active)\]/g, '')
  if (words.length <= keptOfPage) return words
  return `${words.slice(0, keptOfPage)}\n(the rest of this older page is left out)${lastLine(words)}`
}

const lastLine = (page: string) => page.slice(page.lastIndexOf('\n'))
