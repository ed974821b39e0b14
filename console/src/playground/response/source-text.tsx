import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'

/** Maximum characters to render at first. Longer texts block the browser. */
const maxShown = 200_000

/** Source text with a copy button. */
export function SourceText({ text }: { text: string }) {
  const [shown, setShown] = useState(maxShown)
  return (
    <div className="source">
      <div className="row">
        <span className="quiet">{text.length.toLocaleString('en')} characters</span>
        <Copy text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <pre tabIndex={0}>{text.slice(0, shown)}</pre>
      {text.length > shown && <Button onClick={() => setShown(shown * 4)}>Show more</Button>}
    </div>
  )
}
