import type { FieldProps } from './field-props.ts'
import { describedBy, Labelled } from './labelled.tsx'

export function NumberField({ id, field, shape, value, onChange }: FieldProps<'number'>) {
  return (
    <Labelled id={id} field={field} isSet={value !== undefined}>
      <input
        id={id}
        type="number"
        inputMode={shape.isInteger ? 'numeric' : 'decimal'}
        step={shape.isInteger ? 1 : 'any'}
        value={typeof value === 'number' ? value : ''}
        placeholder={field.default === undefined ? 'default' : String(field.default)}
        required={field.isRequired}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
        {...(shape.min === undefined ? {} : { min: shape.min })}
        {...(shape.max === undefined ? {} : { max: shape.max })}
        {...describedBy(id, field)}
      />
      <Bounds least={shape.min} most={shape.max} />
    </Labelled>
  )
}

function Bounds({ least, most }: { least: number | undefined; most: number | undefined }) {
  if (least === undefined && most === undefined) return null
  if (most === undefined) return <span className="bounds">from {least}</span>
  return (
    <span className="bounds">
      {least?.toLocaleString('en') ?? '…'} to {most.toLocaleString('en')}
    </span>
  )
}
