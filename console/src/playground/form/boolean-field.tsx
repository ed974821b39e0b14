import type { FieldProps } from './field-props.ts'
import { Description, describedBy, FieldName, Labelled } from './labelled.tsx'

/** Checkbox. Without a known default, it is a select that also offers the default of the service. */
export function BooleanField(props: FieldProps<'boolean'>) {
  const { id, field, value, onChange } = props
  if (typeof field.default !== 'boolean') return <YesNoField {...props} />
  return (
    <div className={value === undefined ? 'field tick' : 'field tick set'}>
      <label>
        <input
          id={id}
          type="checkbox"
          checked={typeof value === 'boolean' ? value : field.default}
          onChange={(event) => onChange(event.target.checked)}
          {...describedBy(id, field)}
        />
        <FieldName field={field} />
      </label>
      <Description id={id} field={field} />
    </div>
  )
}

function YesNoField({ id, field, value, onChange }: FieldProps<'boolean'>) {
  const chosen = value === undefined ? '' : value === true ? 'yes' : 'no'
  return (
    <Labelled id={id} field={field} isSet={value !== undefined}>
      <select
        id={id}
        value={chosen}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'yes')}
        {...describedBy(id, field)}
      >
        <option value="">default</option>
        <option>yes</option>
        <option>no</option>
      </select>
    </Labelled>
  )
}
