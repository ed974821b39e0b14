import { Button } from '../../ui/button.tsx'
import { Collapsible } from './collapsible.tsx'
import { isObject } from './deep-equal.ts'
import type { FieldProps } from './field-props.ts'
import { GroupFields } from './group-fields.tsx'
import { Description, FieldName } from './labelled.tsx'

/** Ordered list of steps, such as actions. */
export function StepsField({ id, field, shape, value, onChange, FormField }: FieldProps<'steps'>) {
  const steps: unknown[] = Array.isArray(value) ? value : []
  const setSteps = (next: unknown[]) => onChange(next.length === 0 ? undefined : next)
  const replace = (index: number, next: unknown) =>
    setSteps(steps.map((step, position) => (position === index ? next : step)))
  return (
    <Collapsible
      className={steps.length > 0 ? 'field group set' : 'field group'}
      summary={
        <>
          <FieldName field={field} /> {steps.length > 0 && <span className="badge good">{steps.length}</span>}
        </>
      }
    >
      <Description id={id} field={field} />
      <ol className="steps">
        {steps.map((step, index) => {
          const type = isObject(step) ? step.type : undefined
          const variant = shape.variants.find((candidate) => candidate.type === type)
          return (
            // Steps have no id, so their index is the key.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index}>
              <div className="row">
                <select
                  aria-label={`Step ${index + 1}: type`}
                  value={String(type)}
                  onChange={({ target }) => replace(index, { type: target.value })}
                >
                  {shape.variants.map((option) => (
                    <option key={option.type}>{option.type}</option>
                  ))}
                </select>
                <StepButtons index={index} steps={steps} onChange={setSteps} />
              </div>
              {variant?.description !== undefined && <p className="about">{variant.description}</p>}
              {variant && (
                <GroupFields
                  FormField={FormField}
                  fields={variant.fields}
                  value={step}
                  onChange={(next) => replace(index, { ...next, type })}
                />
              )}
            </li>
          )
        })}
      </ol>
      <Button onClick={() => setSteps([...steps, { type: shape.variants[0]?.type }])}>Add step</Button>
    </Collapsible>
  )
}

interface StepButtonsProps {
  index: number
  steps: unknown[]
  onChange: (steps: unknown[]) => void
}

function StepButtons({ index, steps, onChange }: StepButtonsProps) {
  const others = steps.filter((_, position) => position !== index)
  return (
    <>
      <Button
        disabled={index === 0}
        aria-label={`Move step ${index + 1} up`}
        onClick={() => onChange(others.toSpliced(index - 1, 0, steps[index]))}
      >
        ↑
      </Button>
      <Button
        disabled={index === steps.length - 1}
        aria-label={`Move step ${index + 1} down`}
        onClick={() => onChange(others.toSpliced(index + 1, 0, steps[index]))}
      >
        ↓
      </Button>
      <Button icon="close" aria-label={`Remove step ${index + 1}`} onClick={() => onChange(others)} />
    </>
  )
}
