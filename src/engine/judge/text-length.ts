/**
 * How much a text says: its characters, with runs of white space as one. A Chinese, Japanese or Korean
 * character says about as much as two letters.
 */
export function textLength(text: string): number {
  let length = 0
  let isAfterSpace = true
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const isSpace = code <= 32 || code === 160 || (code >= 0x20_0b && code <= 0x20_0d) || code === 0xfe_ff
    if (!isSpace) length += code >= 0x2e_80 && code <= 0xff_ef ? 2 : 1
    else if (!isAfterSpace) length += 1
    isAfterSpace = isSpace
  }
  return isAfterSpace && length > 0 ? length - 1 : length
}
