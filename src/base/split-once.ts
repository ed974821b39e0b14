/** What stands before the first space of a text, and what stands behind it. */
export function splitOnce(text: string): [string, string] {
  const space = text.indexOf(' ')
  return space === -1 ? [text, ''] : [text.slice(0, space), text.slice(space + 1)]
}
