import { lazy, Suspense, useState } from 'react'
import { isSame } from '../form/deep-equal.ts'

const JsonText = lazy(() => import('./json-text.tsx').then(({ JsonText }) => ({ default: JsonText })))

interface JsonEditorProps {
  label: string
  value: unknown
  onChange: (value: unknown) => void
  /** True if an empty text means that no value is sent. */
  canBeEmpty?: boolean
  /** Returns the reason why a parsed value is invalid; undefined if it is valid. */
  check?: (value: unknown) => string | undefined
}

/** JSON editor. Calls `onChange` only with valid values. */
export function JsonEditor({ label, value, onChange, canBeEmpty = false, check }: JsonEditorProps) {
  const [text, setText] = useState(() => formatJson(value))
  const [lastValue, setLastValue] = useState(value)
  // An external change replaces the text. A change by this editor must not, because the text is already current.
  if (!isSame(lastValue, value)) {
    setLastValue(value)
    setText(formatJson(value))
  }
  const parsed = parseJson(text, canBeEmpty)
  const message = 'error' in parsed ? parsed.error : check?.(parsed.value)
  const change = (nextText: string) => {
    setText(nextText)
    const nextParsed = parseJson(nextText, canBeEmpty)
    if ('error' in nextParsed || check?.(nextParsed.value) !== undefined) return
    setLastValue(nextParsed.value)
    onChange(nextParsed.value)
  }
  return (
    <div className="json-editor">
      <Suspense fallback={<pre>{text || ' '}</pre>}>
        <JsonText label={label} text={text} onChange={change} />
      </Suspense>
      <p className="wrong" role="status">
        {message}
      </p>
    </div>
  )
}

function formatJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function parseJson(text: string, canBeEmpty: boolean): { value: unknown } | { error: string } {
  if (canBeEmpty && text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (thrown) {
    return { error: `Invalid JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}` }
  }
}
