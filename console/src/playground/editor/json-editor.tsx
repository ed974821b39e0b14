import { lazy, Suspense, useState } from 'react'
import { isSame } from '../form/deep-equal.ts'

const JsonText = lazy(() => import('./json-text.tsx').then(({ JsonText }) => ({ default: JsonText })))

interface JsonEditorProps {
  label: string
  value: unknown
  onChange: (value: unknown) => void
  /** An empty text stands for no value. */
  canBeEmpty?: boolean
  /** What is wrong with a value that is JSON, if anything. */
  check?: (value: unknown) => string | undefined
}

/** A value as JSON, changed as soon as the text is whole again. */
export function JsonEditor({ label, value, onChange, canBeEmpty = false, check }: JsonEditorProps) {
  const [text, setText] = useState(() => written(value))
  const [known, setKnown] = useState(value)
  // A change from elsewhere replaces the text; one that was made here is the text already.
  if (!isSame(known, value)) {
    setKnown(value)
    setText(written(value))
  }
  const read = readJson(text, canBeEmpty)
  const wrong = 'error' in read ? read.error : check?.(read.value)
  const change = (next: string) => {
    setText(next)
    const now = readJson(next, canBeEmpty)
    if ('error' in now || check?.(now.value) !== undefined) return
    setKnown(now.value)
    onChange(now.value)
  }
  return (
    <div className="json-editor">
      <Suspense fallback={<pre>{text || ' '}</pre>}>
        <JsonText label={label} text={text} onChange={change} />
      </Suspense>
      <p className="wrong" role="status">
        {wrong}
      </p>
    </div>
  )
}

function written(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function readJson(text: string, canBeEmpty: boolean): { value: unknown } | { error: string } {
  if (canBeEmpty && text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (thrown) {
    return { error: `Not JSON yet: ${thrown instanceof Error ? thrown.message : String(thrown)}` }
  }
}
