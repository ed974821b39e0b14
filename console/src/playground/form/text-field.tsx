import type { FieldProps } from './field-props.ts'
import { describedBy, Labelled } from './labelled.tsx'

export function TextField({ id, field, shape, value, onChange }: FieldProps<'text'>) {
  const shared = {
    id,
    value: typeof value === 'string' ? value : '',
    required: field.isRequired,
    spellCheck: false,
    placeholder: typeof field.default === 'string' ? field.default : '',
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(target.value === '' ? undefined : target.value),
    ...describedBy(id, field),
  }
  return (
    <Labelled id={id} field={field} isSet={value !== undefined}>
      {shape.isLong ? (
        <textarea rows={3} {...shared} />
      ) : (
        <input
          {...shared}
          {...(field.name === 'url'
            ? { type: 'text', inputMode: 'url', autoCapitalize: 'none', placeholder: 'https://example.com' }
            : {})}
        />
      )}
    </Labelled>
  )
}
