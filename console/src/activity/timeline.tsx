import type { JobTrace, TraceStep } from '../../../client/src/types.ts'
import { ownFile } from '../ui/own-file.ts'
import { Empty } from '../ui/page.tsx'
import { formatDuration } from '../ui/units.ts'
import { type DescribedStep, describeStep } from './describe-step.ts'

/** The steps of a job on one scale of time. */
export function Timeline({ trace, pictures }: { trace: JobTrace; pictures: string[] }) {
  const pictured = picturesByStep(trace.steps, pictures)
  // By their beginning: what a fetch waited for comes after the fetch.
  const steps = trace.steps
    .map((step) => ({ ...describeStep(step), picture: pictured.get(step) }))
    .sort((one, other) => rank(one) - rank(other) || one.from - other.from)
  const end = Math.max(1, ...steps.map(({ to }) => to))
  return (
    <section className="panel stack" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      {steps.length === 0 && <Empty>{nothing(trace)}</Empty>}
      {steps.length > 0 && (
        <>
          <div className="timeline-scale" aria-hidden="true">
            <span className="scale-marks">
              <span>0</span>
              <span>{formatDuration(end / 2)}</span>
              <span>{formatDuration(end)}</span>
            </span>
          </div>
          <ol className="timeline">
            {steps.map((step, index) => (
              // Steps of a trace never move.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={index}>
                <Step step={step} end={end} />
                <Picture address={step.picture} name={`The page after ${step.name.toLowerCase()}`} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

/** The plan comes first, although a fetch may begin in the same millisecond. */
const rank = ({ name }: DescribedStep) => (name === 'Plan' ? 0 : 1)

function nothing({ finishedAt, state }: JobTrace): string {
  return finishedAt === null ? `The job is ${state}. Steps appear when it ends.` : 'No steps stored.'
}

function Step({ step, end }: { step: DescribedStep; end: number }) {
  const { name, text, tone, from, to } = step
  const left = (100 * from) / end
  const took = to - from
  return (
    <div className="step">
      <span className="step-name">
        {tone === 'bad' && <span aria-hidden="true">✗ </span>}
        {tone === 'good' && <span aria-hidden="true">✓ </span>}
        {name}
      </span>
      <span className="step-line" aria-hidden="true">
        <span
          className={`step-bar ${tone}`}
          style={{ left: `min(${left}%, 100% - 4px)`, width: `${(100 * took) / end}%` }}
        />
      </span>
      <span className="step-time">{took > 0 ? formatDuration(took) : `at ${formatDuration(to)}`}</span>
      <span className="step-text">{text}</span>
    </div>
  )
}

function Picture({ address, name }: { address: string | undefined; name: string }) {
  const file = address === undefined ? undefined : ownFile(address)
  if (file === undefined) return null
  return (
    <a href={file} target="_blank" rel="noopener noreferrer">
      <img className="step-picture" src={file} alt={name} loading="lazy" />
    </a>
  )
}

/** Screenshots come in the order of the actions that take them. */
function picturesByStep(steps: TraceStep[], pictures: string[]): Map<TraceStep, string> {
  const takers = steps.filter(
    (step) => step.step === 'action' && step.type === 'screenshot' && step.result === 'done',
  )
  return new Map(
    pictures.flatMap((picture, index) => {
      const step = takers[index]
      return step ? [[step, picture] as const] : []
    }),
  )
}
