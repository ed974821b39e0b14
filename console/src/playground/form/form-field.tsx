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

/** Renders a field by its shape. A value that equals the default is removed from the request. */
export function FormField({ field, value, onChange, isOpen = false }: FormFieldProps) {
  const id = useId()
  const { shape } = field
  const fieldProps = {
    id,
    field,
    value,
    FormField,
    onChange: (next: unknown) => onChange(isSame(next, field.default) ? undefined : next),
  }
  switch (shape.kind) {
    case 'boolean':
      return <BooleanField {...fieldProps} shape={shape} />
    case 'number':
      return <NumberField {...fieldProps} shape={shape} />
    case 'text':
      return <TextField {...fieldProps} shape={shape} />
    case 'choice':
      return <ChoiceField {...fieldProps} shape={shape} />
    case 'stringList':
      return <StringListField {...fieldProps} shape={shape} />
    case 'multiSelect':
      return <MultiSelectField {...fieldProps} shape={shape} isOpen={isOpen} />
    case 'steps':
      return <StepsField {...fieldProps} shape={shape} />
    case 'group':
      return <GroupField {...fieldProps} shape={shape} />
    case 'union':
      return <UnionField {...fieldProps} shape={shape} />
    default:
      return (
        <Suspense fallback={<p className="quiet">{field.name}…</p>}>
          <JsonField {...fieldProps} shape={{ kind: 'json' }} />
        </Suspense>
      )
  }
}
