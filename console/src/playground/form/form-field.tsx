import { lazy, Suspense, useId } from 'react'
import { BooleanField } from './boolean-field.tsx'
import { ChoiceField } from './choice-field.tsx'
import { isSame } from './deep-equal.ts'
import type { FormFieldProps } from './field-props.ts'
import { GroupField } from './group-field.tsx'
import { MultiSelectField } from './multi-select-field.tsx'
import { NumberField } from './number-field.tsx'
import { StepsField } from './steps-field.tsx'
import { StringListField } from './string-list-field.tsx'
import { TextField } from './text-field.tsx'
import { UnionField } from './union-field.tsx'

const JsonField = lazy(() => import('./json-field.tsx').then(({ JsonField }) => ({ default: JsonField })))

/** One field by its shape. What equals the default is left out of the request. */
export function FormField({ field, value, onChange, isOpen = false }: FormFieldProps) {
  const id = useId()
  const { shape } = field
  const rest = {
    id,
    field,
    value,
    FormField,
    onChange: (next: unknown) => onChange(isSame(next, field.default) ? undefined : next),
  }
  switch (shape.kind) {
    case 'boolean':
      return <BooleanField {...rest} shape={shape} />
    case 'number':
      return <NumberField {...rest} shape={shape} />
    case 'text':
      return <TextField {...rest} shape={shape} />
    case 'choice':
      return <ChoiceField {...rest} shape={shape} />
    case 'texts':
      return <StringListField {...rest} shape={shape} />
    case 'choices':
      return <MultiSelectField {...rest} shape={shape} isOpen={isOpen} />
    case 'steps':
      return <StepsField {...rest} shape={shape} />
    case 'group':
      return <GroupField {...rest} shape={shape} />
    case 'either':
      return <UnionField {...rest} shape={shape} />
    default:
      return (
        <Suspense fallback={<p className="quiet">{field.name}…</p>}>
          <JsonField {...rest} shape={{ kind: 'json' }} />
        </Suspense>
      )
  }
}
