import { useId, useState } from 'react'
import { Collapsible } from './collapsible.tsx'
import { withValue } from './deep-equal.ts'
import { FormField } from './form-field.tsx'
import type { Field } from './shape.ts'

interface OptionFieldsProps {
  fields: Field[]
  request: Record<string, unknown>
  onChange: (request: Record<string, unknown>) => void
}

/** All other options, to be looked through by a word. */
export function OptionFields({ fields, request, onChange }: OptionFieldsProps) {
  const id = useId()
  const [text, setText] = useState('')
  if (fields.length === 0) return null
  const word = text.trim().toLowerCase()
  const shown = fields.filter(({ name, description = '' }) =>
    `${name} ${description}`.toLowerCase().includes(word),
  )
  const count = fields.filter(({ name }) => request[name] !== undefined).length
  return (
    <Collapsible
      className="all-options"
      summary={
        <>
          {fields.length} more options {count > 0 && <span className="badge good">{count} set</span>}
        </>
      }
    >
      <label htmlFor={id} className="hidden">
        Find an option
      </label>
      <input
        id={id}
        type="search"
        placeholder="Find an option"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {shown.map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={request[field.name]}
          onChange={(value) => onChange(withValue(request, field.name, value))}
        />
      ))}
      {shown.length === 0 && <p className="quiet">No option says “{text}”.</p>}
    </Collapsible>
  )
}
