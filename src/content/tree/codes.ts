/** A text as the codes of its characters: to look at each of them is several times as fast here as in a string. */
export function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  Buffer.from(codes.buffer).write(text, 'utf16le')
  return codes
}
