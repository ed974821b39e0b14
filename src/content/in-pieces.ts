const pieceLength = 64 * 1024

/**
 * Changes a text of any length character by character: what it takes meanwhile does not grow with the text, as it would if
 * all of it were put together from millions of parts.
 */
export function inPieces(text: string, change: (piece: string) => string): string {
  if (text.length <= pieceLength) return change(text)
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = change(text.slice(at, at + pieceLength))
    // A search makes one text of the parts that a piece was put together from.
    searched.test(piece)
    pieces.push(piece)
  }
  return pieces.join('')
}

const searched = /\0/
