import { Button } from '../../ui/button.tsx'
import { JsonEditor } from '../editor/json-editor.tsx'
import type { FieldProps } from './field-props.ts'
import { Description, FieldName } from './labelled.tsx'

const exampleSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    price: { type: 'number', description: 'The price that is paid now' },
    author: { type: 'string' },
  },
  required: ['title'],
}

/** JSON editor for values without a form field. */
export function JsonField({ id, field, value, onChange }: FieldProps<'json'>) {
  return (
    <fieldset className={value === undefined ? 'field' : 'field set'}>
      <legend>
        <FieldName field={field} />
      </legend>
      <Description id={id} field={field} />
      <JsonEditor label={field.name} value={value} onChange={onChange} canBeEmpty />
      {field.name === 'schema' && value === undefined && (
        <Button onClick={() => onChange(exampleSchema)}>Insert an example</Button>
      )}
    </fieldset>
  )
}
