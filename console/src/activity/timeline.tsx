import type { JobTrace, TraceStep } from '../../../client/src/types.ts'
import { toServiceFileUrl } from '../ui/own-file.ts'
import { Empty } from '../ui/page.tsx'
import { formatDuration } from '../ui/units.ts'
import { type DescribedStep, describeStep } from './describe-step.ts'

/** Steps of a job on a common time scale. */
export function Timeline({ trace, screenshots }: { trace: JobTrace; screenshots: string[] }) {
  const screenshotByStep = mapScreenshots(trace.steps, screenshots)
  // Sorted by start: the trace records steps at their end, so it lists a wait before the fetch that contains it.
  const steps = trace.steps
    .map((step) => ({ ...describeStep(step), screenshotUrl: screenshotByStep.get(step) }))
    .sort((left, right) => sortRank(left) - sortRank(right) || left.from - right.from)
  const endMs = Math.max(1, ...steps.map(({ to }) => to))
  return (
    <section className="panel stack" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      {steps.length === 0 && <Empty>{emptyText(trace)}</Empty>}
      {steps.length > 0 && (
        <>
          <div className="timeline-scale" aria-hidden="true">
            <span className="scale-marks">
              <span>0</span>
              <span>{formatDuration(endMs / 2)}</span>
              <span>{formatDuration(endMs)}</span>
            </span>
          </div>
          <ol className="timeline">
            {steps.map((step, index) => (
              // Steps of a trace do not change their order.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={index}>
                <Step step={step} end={endMs} />
                <Screenshot url={step.screenshotUrl} name={`The page after ${step.name.toLowerCase()}`} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

/** Ranks the plan first, because a fetch can start in the same millisecond. */
const sortRank = ({ name }: DescribedStep) => (name === 'Plan' ? 0 : 1)

function emptyText({ finishedAt, state }: JobTrace): string {
  return finishedAt === null ? `The job is ${state}. Steps appear when it ends.` : 'No steps stored.'
}

function Step({ step, end }: { step: DescribedStep; end: number }) {
  const { name, text, tone, from, to } = step
  const leftPercent = (100 * from) / end
  const ms = to - from
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
          style={{ left: `min(${leftPercent}%, 100% - 4px)`, width: `${(100 * ms) / end}%` }}
        />
      </span>
      <span className="step-time">{ms > 0 ? formatDuration(ms) : `at ${formatDuration(to)}`}</span>
      <span className="step-text">{text}</span>
    </div>
  )
}

function Screenshot({ url, name }: { url: string | undefined; name: string }) {
  const fileUrl = url === undefined ? undefined : toServiceFileUrl(url)
  if (fileUrl === undefined) return null
  return (
    <a href={fileUrl} target="_blank" rel="noopener noreferrer">
      <img className="step-picture" src={fileUrl} alt={name} loading="lazy" />
    </a>
  )
}

/** Maps each screenshot action to its screenshot. Screenshots are in the order of their actions. */
function mapScreenshots(steps: TraceStep[], screenshots: string[]): Map<TraceStep, string> {
  const screenshotSteps = steps.filter(
    (step) => step.step === 'action' && step.type === 'screenshot' && step.result === 'done',
  )
  return new Map(
    screenshots.flatMap((screenshot, index) => {
      const step = screenshotSteps[index]
      return step ? [[step, screenshot] as const] : []
    }),
  )
}
