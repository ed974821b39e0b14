import { FormField } from './form-field.tsx'
import { isObject, withValue } from './same.ts'
import type { Field } from './shape.ts'

interface GroupFieldsProps {
  fields: Field[]
  value: unknown
  onChange: (value: Record<string, unknown>) => void
}

/** The fields of one object. */
export function GroupFields({ fields, value, onChange }: GroupFieldsProps) {
  const object = isObject(value) ? value : {}
  return (
    <div className="fields">
      {fields.map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={object[field.name]}
          onChange={(next) => onChange(withValue(object, field.name, next))}
        />
      ))}
    </div>
  )
}
