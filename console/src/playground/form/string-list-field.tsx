import { useState } from 'react'
import { isSame } from './deep-equal.ts'
import type { FieldProps } from './field-props.ts'
import { describedBy, Labelled } from './labelled.tsx'

/** List of strings, one per line. */
export function StringListField({ id, field, value, onChange }: FieldProps<'stringList'>) {
  const values = Array.isArray(value) ? value.map(String) : []
  const [text, setText] = useState(values.join('\n'))
  // Keep the typed text while it has the same lines, so that a trailing empty line does not vanish.
  const shown = isSame(toLines(text), values) ? text : values.join('\n')
  return (
    <Labelled id={id} field={field} isSet={value !== undefined}>
      <textarea
        id={id}
        rows={Math.min(8, Math.max(2, shown.split('\n').length))}
        value={shown}
        required={field.isRequired}
        spellCheck={false}
        placeholder={/urls$/i.test(field.name) ? 'https://example.com, one per line' : 'one per line'}
        onChange={({ target }) => {
          setText(target.value)
          const lines = toLines(target.value)
          onChange(lines.length === 0 ? undefined : lines)
        }}
        {...describedBy(id, field)}
      />
    </Labelled>
  )
}

function toLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
