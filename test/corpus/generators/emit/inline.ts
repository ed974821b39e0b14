/** Functions that write the inline parts of the manual's text in a markup. */
export interface Marks {
  plain(text: string): string
  code(text: string): string
  strong(text: string): string
  emphasis(text: string): string
  note(label: string): string
}

const parts = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[\^(\w+)\]/g

/** Converts the inline formatting of a text to another markup. */
export function inline(text: string, marks: Marks): string {
  let output = ''
  let position = 0
  for (const match of text.matchAll(parts)) {
    output += marks.plain(text.slice(position, match.index))
    const [matched, code, strong, emphasis, label] = match
    if (code !== undefined) output += marks.code(code)
    else if (strong !== undefined) output += marks.strong(strong)
    else if (emphasis !== undefined) output += marks.emphasis(emphasis)
    else output += marks.note(label ?? '')
    position = match.index + matched.length
  }
  return output + marks.plain(text.slice(position))
}

export const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by)

export const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
