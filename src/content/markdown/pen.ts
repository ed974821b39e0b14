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
  let hasSpace = false
  let breaks = 0
  let last = ''

  function put(text: string): void {
    parts.push(text)
    last = text.charAt(text.length - 1)
  }

  function endParagraph(): void {
    for (const mark of closing(open, noMarks)) put(mark)
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
      for (const mark of closing(open, marks)) put(mark)
      if (parts.length > 0 && breaks > 0) put(style === 'lines' ? '  \n' : '<br>')
      else if (parts.length > 0 && hasSpace) put(' ')
      for (const mark of opening(open, marks)) put(mark)
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

const signs = ['', '**', '*', '~~']

function shared(from: Marks, to: Marks): number {
  const target = levels(to)
  const index = levels(from).findIndex((level, place) => level !== target[place])
  return index === -1 ? signs.length : index
}

function closing(from: Marks, to: Marks): string[] {
  const closers = levels(from).map((level, index) => {
    if (!level || index < shared(from, to)) return ''
    return typeof level === 'object' ? `](${destination(level.href)})` : (signs[index] ?? '')
  })
  return closers.filter(Boolean).reverse()
}

function opening(from: Marks, to: Marks): string[] {
  const openers = levels(to).map((level, index) => {
    if (!level || index < shared(from, to)) return ''
    return typeof level === 'object' ? '[' : (signs[index] ?? '')
  })
  return openers.filter(Boolean)
}
