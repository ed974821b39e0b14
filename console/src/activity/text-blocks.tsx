import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { counted, formatCount } from '../ui/units.ts'

/** A block of text of a page, as format `blocks` tells of it. */
export interface TextBlock {
  text: string
  selector: string
  isKept: boolean
  reason?: string
  probability?: number
}

const atOnce = 200
/** A block comes with no more of its text. */
const textShown = 300

/** The blocks of a page in order, by what became of them. */
export function TextBlocks({ blocks }: { blocks: TextBlock[] }) {
  const [text, setText] = useState('')
  const [which, setWhich] = useState('all')
  const [shown, setShown] = useState(atOnce)
  const words = text.trim().toLowerCase()
  const found = blocks.filter(
    (block) =>
      (which === 'all' || block.isKept === (which === 'kept')) &&
      (words === '' || `${block.text} ${block.selector} ${block.reason ?? ''}`.toLowerCase().includes(words)),
  )
  const kept = blocks.filter(({ isKept }) => isKept).length
  return (
    <div className="stack">
      <search className="block-search">
        <label>
          Find missing text
          <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <label>
          Show
          <select value={which} onChange={(event) => setWhich(event.target.value)}>
            <option value="all">all blocks</option>
            <option value="out">excluded</option>
            <option value="kept">kept</option>
          </select>
        </label>
      </search>
      <p className="quiet" role="status">
        {counted(kept, 'block')} kept, {formatCount(blocks.length - kept)} excluded;{' '}
        {formatCount(found.length)} match.
        {found.length === 0 && words !== '' && ' The fetched page does not contain this text.'}
      </p>
      <ol className="text-blocks">
        {found.slice(0, shown).map((block, index) => (
          // Blocks have no name; their order is their identity.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Block key={index} block={block} />
        ))}
      </ol>
      {found.length > shown && (
        <div>
          <Button icon="more" onClick={() => setShown(shown + atOnce)}>
            Show more ({formatCount(found.length - shown)})
          </Button>
        </div>
      )}
    </div>
  )
}

function Block({ block: { text, selector, isKept, reason, probability } }: { block: TextBlock }) {
  return (
    <li className={isKept ? 'text-block kept' : 'text-block out'}>
      <div className="row">
        <span className={isKept ? 'badge good' : 'badge bad'}>
          <span aria-hidden="true">{isKept ? '✓' : '✗'}</span> {isKept ? 'kept' : (reason ?? 'excluded')}
        </span>
        {probability !== undefined && (
          <span className="quiet">{Math.round(100 * probability)} % content score</span>
        )}
        <code className="quiet">{selector}</code>
      </div>
      <p>{text.length < textShown ? text : `${text}…`}</p>
    </li>
  )
}
