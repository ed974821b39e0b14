import { escapeText } from 'entities'

const pieceLength = 64 * 1024

/** Escapes a text of any length: what a piece of it takes while it is replaced does not grow with the text. */
export function escapeLong(text: string): string {
  if (text.length <= pieceLength) return escapeText(text)
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += pieceLength) {
    pieces.push(escapeText(text.slice(at, at + pieceLength)))
  }
  return pieces.join('')
}
