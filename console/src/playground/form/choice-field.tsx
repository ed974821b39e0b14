import type { FieldProps } from './field-props.ts'
import { describedBy, Labelled } from './labelled.tsx'

export function ChoiceField({ id, field, shape, value, onChange }: FieldProps<'choice'>) {
  const standard = typeof field.default === 'string' ? field.default : undefined
  return (
    <Labelled id={id} field={field} isSet={value !== undefined}>
      <select
        id={id}
        value={typeof value === 'string' ? value : (standard ?? '')}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        {...describedBy(id, field)}
      >
        {standard === undefined && <option value="">{field.isRequired ? 'choose…' : 'default'}</option>}
        {shape.values.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </Labelled>
  )
}
