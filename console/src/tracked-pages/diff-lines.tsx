import { useState } from 'react'
import { Button } from '../ui/button.tsx'

/** Lines that are rendered first, and with each click on the button. A diff can contain the complete page. */
const linesPerStep = 1000

const kinds = {
  added: { sign: '+', label: 'added' },
  removed: { sign: '−', label: 'removed' },
  hunk: { sign: '', label: 'lines' },
  same: { sign: '', label: '' },
} as const

/** Unified diff. Colours, signs and labels for screen readers show which lines changed. */
export function DiffLines({ text }: { text: string }) {
  const [maxLines, setMaxLines] = useState(linesPerStep)
  const lines = parseLines(text)
  const added = lines.filter((line) => line.kind === 'added').length
  const removed = lines.filter((line) => line.kind === 'removed').length
  return (
    <>
      <p>
        <span className="badge good">+ {added} added</span>{' '}
        <span className="badge bad">− {removed} removed</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section className="diff" aria-label="Changes" tabIndex={0}>
        {lines.slice(0, maxLines).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat and never move
          <div key={index} className={`diff-line ${line.kind}`}>
            <span className="diff-sign" aria-hidden="true">
              {kinds[line.kind].sign}
            </span>
            <span>
              {kinds[line.kind].label !== '' && <span className="hidden">{kinds[line.kind].label}: </span>}
              {line.text}
            </span>
          </div>
        ))}
      </section>
      {lines.length > maxLines && (
        <Button onClick={() => setMaxLines(maxLines + linesPerStep)}>
          Show more ({lines.length - maxLines})
        </Button>
      )}
    </>
  )
}

interface Line {
  kind: keyof typeof kinds
  text: string
}

/** Parses a unified diff. Skips the lines before the first hunk: they name the files, which are the same page here. */
function parseLines(text: string): Line[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'))
  return lines.slice(Math.max(0, firstHunk)).map((line) => {
    if (line.startsWith('@@')) return { kind: 'hunk', text: line }
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) }
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) }
    return { kind: 'same', text: line.startsWith(' ') ? line.slice(1) : line }
  })
}
