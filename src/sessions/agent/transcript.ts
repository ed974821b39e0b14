import type { Message, ToolCall } from '../../platform/ports/language-model.ts'
import { cutToTokens, estimateTokens } from '../../platform/text.ts'

const maxHistoryTokens = 20_000
const maxOldPageLength = 12_000
const historyShare = 1 / 4
const reservedTokens = 500

type Entry = Message & { page?: string | undefined }

/** `inputTokens` is the limit of one model call, without the system prompt and the tools. */
export function createTranscript(inputTokens: number) {
  const entries: Entry[] = []
  return {
    addUserMessage: (text: string, page?: string) => void entries.push({ role: 'user', text, page }),
    addReply: (text: string, calls: ToolCall[]) => void entries.push({ role: 'model', text, calls }),
    addResult: (call: ToolCall, text: string, page?: string) =>
      void entries.push({ role: 'tool', call, text, page }),
    messages: () => buildMessages(entries, inputTokens - reservedTokens),
  }
}

export type Transcript = ReturnType<typeof createTranscript>

/** Only the latest page is sent completely. Older ones are sent without refs, which are no longer valid. */
function buildMessages(entries: Entry[], inputTokens: number): Message[] {
  const latest = entries.findLast(({ page }) => page !== undefined)
  const available = inputTokens - entries.reduce((sum, entry) => sum + fixedTokens(entry), 0)
  const shownPage = truncatePage(latest?.page ?? '', Math.floor(available * (1 - historyShare)))
  let remaining = Math.min(maxHistoryTokens, available - estimateTokens(shownPage))
  const fitText = (text: string, isNewest = false) => {
    const fitting = isNewest ? truncatePage(text, remaining) : text
    remaining -= estimateTokens(fitting)
    return remaining >= 0 ? fitting : '(left out, as it is long ago)'
  }
  const newest = entries.at(-1)
  return entries
    .toReversed()
    .map((entry): Message => {
      if (entry.role === 'model') return entry
      const older = entry.page === undefined ? undefined : () => fitText(withoutRefs(entry.page ?? ''))
      const page = entry === latest ? shownPage : older?.()
      const pageText = page === undefined ? '' : `\n${page}`
      if (entry.role === 'user') return { role: 'user', text: `${entry.text}${pageText}` }
      return { role: 'tool', call: entry.call, text: `${fitText(entry.text, entry === newest)}${pageText}` }
    })
    .reverse()
}

function fixedTokens(entry: Entry): number {
  if (entry.role === 'user') return estimateTokens(entry.text)
  return entry.role === 'model' ? estimateTokens(`${entry.text}${JSON.stringify(entry.calls)}`) : 0
}

const cutNote = '\n(the rest is left out: the model takes no more at a time)'

/** Shortens a page; the markers at both ends stay. */
function truncatePage(page: string, tokens: number): string {
  if (estimateTokens(page) <= tokens) return page
  const end = lastLine(page)
  const maxTokens = Math.max(0, tokens - estimateTokens(`${cutNote}${end}`))
  return `${cutToTokens(page, maxTokens)}${cutNote}${end}`
}

function withoutRefs(page: string): string {
  const text = page.replaceAll(/ \[(?:ref=\w+|cursor=pointer|active)\]/g, '')
  if (text.length <= maxOldPageLength) return text
  return `${text.slice(0, maxOldPageLength)}\n(the rest of this older page is left out)${lastLine(text)}`
}

const lastLine = (page: string) => page.slice(page.lastIndexOf('\n'))
