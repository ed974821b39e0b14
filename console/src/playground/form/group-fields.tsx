import { isObject, withValue } from './deep-equal.ts'
import type { FieldProps } from './field-props.ts'
import type { Field } from './shape.ts'

interface GroupFieldsProps {
  fields: Field[]
  FormField: FieldProps['FormField']
  value: unknown
  onChange: (value: Record<string, unknown>) => void
}

/** The fields of one object. */
export function GroupFields({ fields, FormField, value, onChange }: GroupFieldsProps) {
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
