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

/** The remaining options of a call, with a search field. */
export function OptionFields({ fields, request, onChange }: OptionFieldsProps) {
  const id = useId()
  const [query, setQuery] = useState('')
  if (fields.length === 0) return null
  const searchText = query.trim().toLowerCase()
  const shown = fields.filter(({ name, description = '' }) =>
    `${name} ${description}`.toLowerCase().includes(searchText),
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
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      {shown.map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={request[field.name]}
          onChange={(value) => onChange(withValue(request, field.name, value))}
        />
      ))}
      {shown.length === 0 && <p className="quiet">No options match “{query}”.</p>}
    </Collapsible>
  )
}
