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
      <Bounds min={shape.min} max={shape.max} />
    </Labelled>
  )
}

function Bounds({ min, max }: { min: number | undefined; max: number | undefined }) {
  const text = formatBounds(min?.toLocaleString('en'), max?.toLocaleString('en'))
  return text === undefined ? null : <span className="bounds">{text}</span>
}

function formatBounds(min: string | undefined, max: string | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`
  if (min !== undefined) return `at least ${min}`
  return max === undefined ? undefined : `at most ${max}`
}
