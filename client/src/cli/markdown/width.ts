const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const onlyAscii = /^[\x20-\x7e]*$/
const isWide =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u
const isInvisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  if (onlyAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOfSign(segment)
  return width
}

/** Parts of a text that are at most so wide: for words that are wider than a line. */
export function pieces(text: string, most: number): string[] {
  if (widthOf(text) <= most) return [text]
  const found: string[] = []
  let piece = ''
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    const wide = widthOfSign(segment)
    if (width + wide > most && piece !== '') {
      found.push(piece)
      piece = ''
      width = 0
    }
    piece += segment
    width += wide
  }
  return [...found, piece]
}

function widthOfSign(sign: string): number {
  if (isInvisible.test(sign)) return 0
  return isWide.test(sign) ? 2 : 1
}
