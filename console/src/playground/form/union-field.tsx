import { isObject } from './deep-equal.ts'
import type { FieldProps } from './field-props.ts'
import { GroupFields } from './group-fields.tsx'
import { Description, describedBy, FieldName } from './labelled.tsx'
import type { Shape } from './shape.ts'

/** Value of one of several kinds. The user selects the kind first. */
export function UnionField({ id, field, shape, value, onChange, FormField }: FieldProps<'union'>) {
  const current = shape.shapes.find((option) => matchesShape(option.shape, value))
  return (
    <fieldset className={value === undefined ? 'field' : 'field set'}>
      <legend>
        <FieldName field={field} />
      </legend>
      <select
        id={id}
        aria-label={`${field.name}: kind`}
        value={current?.name ?? ''}
        onChange={({ target }) =>
          onChange(initialValue(shape.shapes.find(({ name }) => name === target.value)?.shape))
        }
        {...describedBy(id, field)}
      >
        <option value="">default</option>
        {shape.shapes.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <Description id={id} field={field} />
      {current?.shape.kind === 'group' && (
        <GroupFields FormField={FormField} fields={current.shape.fields} value={value} onChange={onChange} />
      )}
      {current && current.shape.kind !== 'group' && (
        <FormField
          field={{ name: field.name, isRequired: false, shape: current.shape }}
          value={value}
          onChange={(next) => onChange(next ?? initialValue(current.shape))}
        />
      )}
    </fieldset>
  )
}

/** Returns the initial value of a kind. */
function initialValue(shape: Shape | undefined): unknown {
  if (shape === undefined) return undefined
  if (shape.kind === 'boolean') return true
  if (shape.kind === 'group' || shape.kind === 'json') return {}
  if (shape.kind === 'number') return shape.min ?? 0
  return shape.kind === 'text' || shape.kind === 'choice' ? '' : []
}

function matchesShape(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'boolean':
    case 'number':
      return typeof value === shape.kind
    case 'text':
    case 'choice':
      return typeof value === 'string'
    case 'group':
      return isObject(value)
    case 'json':
      return value !== undefined
    default:
      return Array.isArray(value)
  }
}
