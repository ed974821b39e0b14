import { useState } from 'react'
import { Button } from '../ui/button.tsx'

/** Lines that are shown at once: a page may have changed from end to end. */
const step = 1000

const kinds = {
  added: { sign: '+', word: 'added' },
  removed: { sign: '−', word: 'removed' },
  hunk: { sign: '', word: 'lines' },
  same: { sign: '', word: '' },
} as const

/** A difference as git writes it. Colours, signs, and words for screen readers show what changed. */
export function DiffLines({ text }: { text: string }) {
  const [most, setMost] = useState(step)
  const lines = linesOf(text)
  const added = lines.filter((line) => line.kind === 'added').length
  const removed = lines.filter((line) => line.kind === 'removed').length
  return (
    <>
      <p>
        <span className="badge good">+ {added} added</span>{' '}
        <span className="badge bad">− {removed} removed</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="diff" aria-label="Changes" tabIndex={0}>
        {lines.slice(0, most).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat and never move
          <div key={index} className={`diff-line ${line.kind}`}>
            <span className="diff-sign" aria-hidden="true">
              {kinds[line.kind].sign}
            </span>
            <span>
              {kinds[line.kind].word !== '' && <span className="hidden">{kinds[line.kind].word}: </span>}
              {line.text}
            </span>
          </div>
        ))}
      </section>
      {lines.length > most && (
        <Button onClick={() => setMost(most + step)}>Show more of {lines.length} lines</Button>
      )}
    </>
  )
}

interface Line {
  kind: keyof typeof kinds
  text: string
}

/** Lines before the first hunk name the two files, which are one page here. */
function linesOf(text: string): Line[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const first = lines.findIndex((line) => line.startsWith('@@'))
  return lines.slice(Math.max(0, first)).map((line) => {
    if (line.startsWith('@@')) return { kind: 'hunk', text: line }
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) }
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) }
    return { kind: 'same', text: line.startsWith(' ') ? line.slice(1) : line }
  })
}
