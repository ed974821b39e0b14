import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { formatCount, formatQuantity } from '../ui/units.ts'

/** Text block of a page, as format `blocks` returns it. */
export interface TextBlock {
  text: string
  selector: string
  isKept: boolean
  reason?: string
  probability?: number
}

const blocksPerStep = 200
/** Maximum characters of a block in the response. The API truncates longer texts. */
const maxTextLength = 300

/** Text blocks of a page in document order, with a search and a filter. */
export function TextBlocks({ blocks }: { blocks: TextBlock[] }) {
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState('all')
  const [shown, setShown] = useState(blocksPerStep)
  const searchText = query.trim().toLowerCase()
  const matches = blocks.filter(
    (block) =>
      (filter === 'all' || block.isKept === (filter === 'kept')) &&
      (searchText === '' ||
        `${block.text} ${block.selector} ${block.reason ?? ''}`.toLowerCase().includes(searchText)),
  )
  const keptCount = blocks.filter(({ isKept }) => isKept).length
  return (
    <div className="stack">
      <search className="block-search">
        <label>
          Find missing text
          <input type="search" value={query} onChange={(event) => setQuery(event.target.value)} />
        </label>
        <label>
          Show
          <select value={filter} onChange={(event) => setFilter(event.target.value)}>
            <option value="all">all blocks</option>
            <option value="out">excluded</option>
            <option value="kept">kept</option>
          </select>
        </label>
      </search>
      <p className="quiet" role="status">
        {formatQuantity(keptCount, 'block')} kept, {formatCount(blocks.length - keptCount)} excluded;{' '}
        {formatCount(matches.length)} match.
        {matches.length === 0 && searchText !== '' && ' The fetched page does not contain this text.'}
      </p>
      <ol className="text-blocks">
        {matches.slice(0, shown).map((block, index) => (
          // Blocks have no id, and their order does not change.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Block key={index} block={block} />
        ))}
      </ol>
      {matches.length > shown && (
        <div>
          <Button icon="more" onClick={() => setShown(shown + blocksPerStep)}>
            Show more ({formatCount(matches.length - shown)})
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
      <p>{text.length < maxTextLength ? text : `${text}…`}</p>
    </li>
  )
}
