import type { Message, ToolCall } from '../../ports/language-model.ts'

/** The conversation so far, and the part of it that is sent to the model again. */
export interface Transcript {
  /** The request of the user, or the initial page. */
  ask(text: string, page?: string): void
  /** An answer of the model. */
  heard(text: string, calls: ToolCall[]): void
  /** The outcome of a call; `page` is the current page, if included. */
  answer(call: ToolCall, outcome: string, page?: string): void
  messages(): Message[]
}

/** The amount of outcomes and older pages that is sent again, newest first; a long task must not exceed the context of the model. */
const keptCharacters = 80_000
const keptOfPage = 12_000

type Entry =
  | { role: 'user'; text: string; page: string | undefined }
  | { role: 'model'; text: string; calls: ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string; page: string | undefined }

export function createTranscript(): Transcript {
  const entries: Entry[] = []
  return {
    ask: (text, page) => void entries.push({ role: 'user', text, page }),
    heard: (text, calls) => void entries.push({ role: 'model', text, calls }),
    answer: (call, text, page) => void entries.push({ role: 'tool', call, text, page }),
    messages: () => shortened(entries),
  }
}

/** Only the latest page is sent completely. Older ones keep their text for a while, without refs, which are no longer valid. */
function shortened(entries: Entry[]): Message[] {
  const latest = entries.findLast((entry) => 'page' in entry && entry.page !== undefined)
  let left = keptCharacters
  const kept = (text: string) => {
    left -= text.length
    return left >= 0 ? text : '(left out, as it is long ago)'
  }
  return entries
    .toReversed()
    .map((entry): Message => {
      if (entry.role === 'model') return entry
      const page = entry === latest || entry.page === undefined ? entry.page : kept(withoutRefs(entry.page))
      const shown = page === undefined ? '' : `\n${page}`
      if (entry.role === 'user') return { role: 'user', text: `${entry.text}${shown}` }
      return { role: 'tool', call: entry.call, text: `${kept(entry.text)}${shown}` }
    })
    .reverse()
}

/** The marks at both ends stay. */
function withoutRefs(page: string): string {
  const words = page.replaceAll(/ \[(?:ref=\w+|cursor=pointer|active)\]/g, '')
  if (words.length <= keptOfPage) return words
  const end = words.slice(words.lastIndexOf('\n'))
  return `${words.slice(0, keptOfPage)}\n(the rest of this older page is left out)${end}`
}
