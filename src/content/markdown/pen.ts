import { destination } from './escape.ts'
import { type Marks, noMarks } from './pieces.ts'

/** How a line break is written: as lines and paragraphs, as a space, or as a tag where a line ends the block. */
export type BreakStyle = 'lines' | 'spaces' | 'tags'

export type Pen = ReturnType<typeof createPen>

/** Writes inline Markdown. Spaces and breaks wait until text follows, so they never stand inside a mark's edge. */
export function createPen(style: BreakStyle) {
  const paragraphs: string[] = []
  let parts: string[] = []
  let open = noMarks
  // What will close each open level; a level that is not open has nothing.
  const closers = ['', '', '', '']
  let hasSpace = false
  let breaks = 0
  let last = ''

  function put(text: string): void {
    if (text === '') return
    parts.push(text)
    last = text.charAt(text.length - 1)
  }

  function closeTo(level: number): void {
    for (let index = closers.length - 1; index >= level; index -= 1) {
      put(closers[index] ?? '')
      closers[index] = ''
    }
  }

  function openFrom(level: number, marks: Marks): void {
    for (const [index, mark] of levels(marks).entries()) {
      if (index < level || !mark) continue
      const sign = typeof mark === 'object' ? '[' : signFor(index, last)
      closers[index] = typeof mark === 'object' ? `](${destination(mark.href)})` : sign
      put(sign)
    }
  }

  function endParagraph(): void {
    closeTo(0)
    if (parts.length > 0) paragraphs.push(parts.join(''))
    parts = []
    open = noMarks
    last = ''
  }

  return {
    put,
    space(): void {
      hasSpace = true
    },
    lineBreak(): void {
      if (style === 'spaces') hasSpace = true
      else breaks += 1
    },
    /** Ends marks, writes the space or break that waits, begins marks. */
    moveTo(marks: Marks): void {
      if (breaks > 1 && style === 'lines') endParagraph()
      const level = open === marks ? closers.length : sharedLevels(open, marks)
      closeTo(level)
      if (parts.length > 0 && breaks > 0) put(style === 'lines' ? '  \n' : '<br>')
      else if (parts.length > 0 && hasSpace) put(' ')
      openFrom(level, marks)
      open = marks
      breaks = 0
      hasSpace = false
    },
    isAtLineStart: () => style === 'lines' && (parts.length === 0 || last === '\n'),
    lastCharacter: () => (last === '\n' ? '' : last),
    finish(): string[] {
      endParagraph()
      return paragraphs
    },
  }
}

/** Marks from the outermost to the innermost. */
const levels = (marks: Marks) => [marks.link, marks.isStrong, marks.isEmphasis, marks.isStruck]

function sharedLevels(from: Marks, to: Marks): number {
  const target = levels(to)
  const index = levels(from).findIndex((level, place) => level !== target[place])
  return index === -1 ? target.length : index
}

/** Right after a star another would be read as part of the same mark. */
function signFor(level: number, last: string): string {
  const star = last === '*' ? '_' : '*'
  return ['', star + star, star, '~~'][level] ?? ''
}
