/** How a markup writes what a text of the manual may hold. */
export interface Marks {
  plain(text: string): string
  code(text: string): string
  strong(text: string): string
  emphasis(text: string): string
  note(label: string): string
}

const parts = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[\^(\w+)\]/g

/** The text of a block in another markup. */
export function inline(text: string, marks: Marks): string {
  let written = ''
  let at = 0
  for (const match of text.matchAll(parts)) {
    written += marks.plain(text.slice(at, match.index))
    const [whole, code, strong, emphasis, label] = match
    if (code !== undefined) written += marks.code(code)
    else if (strong !== undefined) written += marks.strong(strong)
    else if (emphasis !== undefined) written += marks.emphasis(emphasis)
    else written += marks.note(label ?? '')
    at = match.index + whole.length
  }
  return written + marks.plain(text.slice(at))
}

export const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by)

export const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
