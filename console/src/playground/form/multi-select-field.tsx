import { Button } from '../../ui/button.tsx'
import { isObject } from './deep-equal.ts'
import type { FieldProps } from './field-props.ts'
import { GroupFields } from './group-fields.tsx'
import { Description, FieldName } from './labelled.tsx'
import type { Variant } from './shape.ts'

/** A list of things that are each wanted or not, such as formats, with the options of those that are wanted. */
export function MultiSelectField({
  id,
  field,
  shape,
  value,
  onChange,
  isOpen,
  FormField,
}: FieldProps<'choices'> & { isOpen: boolean }) {
  const standard = Array.isArray(field.default) ? field.default : []
  const chosen: unknown[] = Array.isArray(value) ? value : standard
  const toggle = (variant: Variant, isWanted: boolean) => {
    const others = chosen.filter((one) => typeOf(one) !== variant.type)
    const next = isWanted ? [...others, entryOf(variant, {})] : others
    onChange(next.length === 0 && !shape.canBeEmpty ? undefined : next)
  }
  const change = (variant: Variant, options: Record<string, unknown>) =>
    onChange(chosen.map((one) => (typeOf(one) === variant.type ? entryOf(variant, options) : one)))
  const withOptions = shape.variants.filter(
    (variant) => variant.fields.length > 0 && chosen.some((one) => typeOf(one) === variant.type),
  )
  return (
    <fieldset className={value === undefined ? 'field' : 'field set'}>
      <legend>
        <FieldName field={field} />
      </legend>
      <Description id={id} field={field} />
      <div className="ticks">
        {shape.variants.map((variant) => (
          <Tick
            key={variant.type}
            variant={variant}
            isChosen={chosen.some((one) => typeOf(one) === variant.type)}
            onChange={(isWanted) => toggle(variant, isWanted)}
          />
        ))}
      </div>
      <DefaultOf value={value} isKnown={field.default !== undefined} onReset={() => onChange(undefined)} />
      {isOpen && <Meanings variants={shape.variants} />}
      {withOptions.map((variant) => (
        <fieldset className="options-of" key={variant.type}>
          <legend>{variant.type}</legend>
          {variant.description !== undefined && <p className="about">{variant.description}</p>}
          <GroupFields
            FormField={FormField}
            fields={variant.fields}
            value={chosen.find((one) => typeOf(one) === variant.type)}
            onChange={(options) => change(variant, options)}
          />
        </fieldset>
      ))}
    </fieldset>
  )
}

/** No list and an empty list are not the same, so it is said which of them is sent. */
function DefaultOf({ value, isKnown, onReset }: { value: unknown; isKnown: boolean; onReset: () => void }) {
  const isEmpty = Array.isArray(value) && value.length === 0
  if (!isEmpty && (isKnown || value !== undefined)) return null
  return (
    <p className="about default">
      {isEmpty ? 'An empty list is sent.' : 'Server default'}
      {isEmpty && <Button onClick={onReset}>Use server default</Button>}
    </p>
  )
}

interface TickProps {
  variant: Variant
  isChosen: boolean
  onChange: (isWanted: boolean) => void
}

function Tick({ variant, isChosen, onChange }: TickProps) {
  return (
    <label title={variant.description}>
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
      {variant.type}
    </label>
  )
}

function Meanings({ variants }: { variants: Variant[] }) {
  if (variants.every(({ description }) => description === undefined)) return null
  return (
    <details className="meanings">
      <summary>Description of each choice</summary>
      <dl>
        {variants.map(({ type, description }) => (
          <div key={type}>
            <dt>{type}</dt>
            <dd>{description ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function typeOf(entry: unknown): unknown {
  return isObject(entry) ? entry.type : entry
}

/** The name alone, where it says enough. */
function entryOf({ type, isPlain }: Variant, { type: _, ...options }: Record<string, unknown>): unknown {
  return isPlain && Object.keys(options).length === 0 ? type : { type, ...options }
}
