import { useState } from 'react'
import { isSame } from './deep-equal.ts'
import type { FieldProps } from './field-props.ts'
import { describedBy, Labelled } from './labelled.tsx'

/** One text in each line. */
export function StringListField({ id, field, value, onChange }: FieldProps<'texts'>) {
  const given = Array.isArray(value) ? value.map(String) : []
  const [text, setText] = useState(given.join('\n'))
  // An empty line at the end is not a text yet, but must not vanish while it is typed.
  const shown = isSame(linesOf(text), given) ? text : given.join('\n')
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
          const lines = linesOf(target.value)
          onChange(lines.length === 0 ? undefined : lines)
        }}
        {...describedBy(id, field)}
      />
    </Labelled>
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
