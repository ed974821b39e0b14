import type { FieldProps } from './field-props.ts'
import { describedBy, Labelled } from './labelled.tsx'

export function ChoiceField({ id, field, shape, value, onChange }: FieldProps<'choice'>) {
  const defaultValue = typeof field.default === 'string' ? field.default : undefined
  return (
    <Labelled id={id} field={field} isSet={value !== undefined}>
      <select
        id={id}
        value={typeof value === 'string' ? value : (defaultValue ?? '')}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        {...describedBy(id, field)}
      >
        {defaultValue === undefined && <option value="">{field.isRequired ? 'choose…' : 'default'}</option>}
        {shape.values.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </Labelled>
  )
}
