import type { Message, ToolCall } from '../../ports/language-model.ts'

/** What was said so far, and what of it the model is told again. */
export interface Transcript {
  ask(text: string): void
  /** What the model said. */
  heard(text: string, calls: ToolCall[]): void
  /** What came of a call; `page` is how the page looks now, when that is told with it. */
  answer(call: ToolCall, outcome: string, page?: string): void
  messages(): Message[]
}

/** Older outcomes beyond this many characters are left out, so that a long task does not outgrow the model. */
const keptCharacters = 80_000

type Entry =
  | { role: 'user'; text: string }
  | { role: 'model'; text: string; calls: ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string; page: string | undefined }

export function createTranscript(): Transcript {
  const entries: Entry[] = []
  return {
    ask: (text) => void entries.push({ role: 'user', text }),
    heard: (text, calls) => void entries.push({ role: 'model', text, calls }),
    answer: (call, text, page) => void entries.push({ role: 'tool', call, text, page }),
    messages: () => shortened(entries),
  }
}

/** Only the latest page is told whole: the refs of older ones are no longer valid, and they would cost the most. */
function shortened(entries: Entry[]): Message[] {
  const latest = entries.findLastIndex((entry) => entry.role === 'tool' && entry.page !== undefined)
  let left = keptCharacters
  return entries
    .toReversed()
    .map((entry, backwards): Message => {
      if (entry.role !== 'tool') return entry
      left -= entry.text.length
      const text = left >= 0 ? entry.text : '(left out, as it is long ago)'
      const isLatest = entries.length - 1 - backwards === latest
      const page = entry.page === undefined ? '' : `\n${isLatest ? entry.page : '(an older page, left out)'}`
      return { role: 'tool', call: entry.call, text: `${text}${page}` }
    })
    .reverse()
}
