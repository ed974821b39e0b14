import { Collapsible } from './collapsible.tsx'
import { isObject } from './deep-equal.ts'
import type { FieldProps } from './field-props.ts'
import { GroupFields } from './group-fields.tsx'
import { Description, FieldName } from './labelled.tsx'

/** Object as a collapsible group of fields. */
export function GroupField({ id, field, shape, value, onChange, FormField }: FieldProps<'group'>) {
  const count = isObject(value) ? Object.keys(value).length : 0
  // Required fields of a group are required only if the group has a value.
  const fields =
    count > 0 ? shape.fields : shape.fields.map((nestedField) => ({ ...nestedField, isRequired: false }))
  return (
    <Collapsible
      className={count > 0 ? 'field group set' : 'field group'}
      summary={
        <>
          <FieldName field={field} /> {count > 0 && <span className="badge good">{count} set</span>}
        </>
      }
    >
      <Description id={id} field={field} />
      <GroupFields
        FormField={FormField}
        fields={fields}
        value={value}
        onChange={(next) => onChange(Object.keys(next).length === 0 ? undefined : next)}
      />
    </Collapsible>
  )
}
