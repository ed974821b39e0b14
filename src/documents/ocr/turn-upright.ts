import type { Box } from '../pdf/shapes.ts'
import type { Word } from './tesseract.ts'

interface Size {
  width: number
  height: number
}

/** The words of a rotated page, with positions as if it were upright. */
export function turnUpright(words: Word[], size: Size): { words: Word[]; size: Size } {
  const quarter = direction(words)
  if (quarter === 0) return { words, size }
  const turn = <T extends Box>(box: T): T => ({ ...box, ...turned(box, size, quarter) })
  return {
    words: words.map((word) => ({ ...turn(word), line: turn(word.line) })),
    size: quarter === 2 ? size : { width: size.height, height: size.width },
  }
}

/** How many quarters of a circle the words go round: to the right, down, to the left, up. */
function direction(words: Word[]): 0 | 1 | 2 | 3 {
  const votes: [number, number, number, number] = [0, 0, 0, 0]
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    if (!next || next.line.id !== word.line.id) continue
    const x = next.left + next.right - word.left - word.right
    const y = next.top + next.bottom - word.top - word.bottom
    const quarter = Math.abs(x) >= Math.abs(y) ? (x >= 0 ? 0 : 2) : y > 0 ? 1 : 3
    votes[quarter] += 1
  }
  const most = Math.max(...votes)
  return most === 0 ? 0 : (votes.indexOf(most) as 0 | 1 | 2 | 3)
}

function turned(box: Box, size: Size, quarter: 0 | 1 | 2 | 3): Box {
  const { left, top, right, bottom } = box
  if (quarter === 1) return { left: top, right: bottom, top: size.width - right, bottom: size.width - left }
  if (quarter === 3) return { left: size.height - bottom, right: size.height - top, top: left, bottom: right }
  return {
    left: size.width - right,
    right: size.width - left,
    top: size.height - bottom,
    bottom: size.height - top,
  }
}
