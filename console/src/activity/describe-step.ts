import type { TraceStep } from '../../../client/src/types.ts'
import { formatCharacters, formatCount, formatDuration, formatQuantity } from '../ui/units.ts'

export interface DescribedStep {
  name: string
  text: string
  tone: 'good' | 'bad' | 'plain'
  /** Start and end in milliseconds since the job started; equal for a step without duration. */
  from: number
  to: number
}

/** Returns the texts and the time span of a trace step. The trace records a step at its end. */
export function describeStep(step: TraceStep): DescribedStep {
  const durationMs = 'ms' in step ? step.ms : step.step === 'queue' ? step.waitedMs : 0
  return { ...describeTexts(step), from: Math.max(0, step.at - durationMs), to: step.at }
}

type StepTexts = Pick<DescribedStep, 'name' | 'text' | 'tone'>

function describeTexts(step: TraceStep): StepTexts {
  const plain = (name: string, ...parts: (string | false | undefined)[]): StepTexts => ({
    name,
    text: parts.filter(Boolean).join(', '),
    tone: 'plain',
  })
  switch (step.step) {
    case 'plan':
      return plain('Plan', ...planDetails(step))
    case 'queue':
      return plain('Waited for a slot', formatDuration(step.waitedMs))
    case 'cache':
      return plain('Cache', step.result === 'hit' ? 'hit' : 'miss', formatFetchedAt(step.fetchedAt))
    case 'robots':
      return {
        ...plain('robots.txt', step.result, step.message),
        tone: step.result === 'denied' ? 'bad' : 'plain',
      }
    case 'sitemaps':
      return plain(
        'Sitemaps',
        formatQuantity(step.files, 'file'),
        `${formatCount(step.found)} URLs listed`,
        step.message,
      )
    case 'fetch':
      return fetchTexts(step)
    case 'verdict':
      return verdictTexts(step)
    case 'wait':
      return plain(
        'Browser waited',
        step.endedBy === 'at rest' ? 'until the page was stable' : 'until the time limit',
      )
    case 'consent':
      return plain('Cookie dialog', step.answer)
    case 'action':
      return {
        ...plain(`Action ${step.index + 1}`, step.type, step.result),
        tone: step.result === 'failed' ? 'bad' : 'good',
      }
    case 'read':
      return plain(
        'Read',
        `${formatCount(step.keptCharacters)} of ${formatQuantity(step.pageCharacters, 'character')} kept`,
      )
    case 'convert':
      return plain('Converted', step.type, step.pages !== undefined && formatQuantity(step.pages, 'page'))
    case 'model':
      return plain(
        'Language model',
        `${formatCount(step.inputTokens)} tokens in`,
        `${formatCount(step.outputTokens)} out`,
      )
    case 'write':
      return plain(
        'Wrote formats',
        step.markdownCharacters !== undefined && `Markdown ${formatCharacters(step.markdownCharacters)}`,
      )
    case 'omitted':
      return plain('Omitted from the trace', formatQuantity(step.steps, 'step'))
  }
}

type StepOf<Name extends TraceStep['step']> = Extract<TraceStep, { step: Name }>

function planDetails(step: StepOf<'plan'>): (string | false | undefined)[] {
  return [
    step.formats.join(', '),
    `cache ${step.cache}`,
    step.browserFor !== undefined && `browser for ${step.browserFor}`,
    step.onlyMainContent && 'main content only',
    step.includeTags > 0 && `${step.includeTags} includeTags`,
    step.excludeTags > 0 && `${step.excludeTags} excludeTags`,
    step.waitForMs > 0 && `waitFor ${formatDuration(step.waitForMs)}`,
    step.actions > 0 && formatQuantity(step.actions, 'action'),
    step.timeoutMs > 0 && `at most ${formatDuration(step.timeoutMs)}`,
  ]
}

function fetchTexts(step: StepOf<'fetch'>): StepTexts {
  const engine = step.engine === 'http' ? 'over HTTP' : `with ${step.engine}`
  const parts = [
    step.proxy !== 'basic' && `proxy ${step.proxy}`,
    step.status !== undefined && `status ${step.status}`,
    step.code,
    step.phase !== undefined && `during ${step.phase}`,
    step.message,
    step.url !== undefined && `final URL: ${step.url}`,
    step.contentType,
    step.characters !== undefined && formatCharacters(step.characters),
    step.bytes !== undefined && formatQuantity(step.bytes, 'byte'),
  ]
  const isBad = step.result === 'error' || (step.status ?? 200) >= 400
  return { name: `Fetched ${engine}`, text: parts.filter(Boolean).join(', '), tone: isBad ? 'bad' : 'good' }
}

function verdictTexts({ kind, reason }: StepOf<'verdict'>): StepTexts {
  const verdicts = {
    good: 'page accepted',
    'needs-browser': 'browser required',
    blocked: 'blocked by the site',
  }
  const text = reason === undefined ? verdicts[kind] : `${verdicts[kind]}: ${reason}`
  return { name: 'Verdict', text, tone: kind === 'good' ? 'good' : kind === 'blocked' ? 'bad' : 'plain' }
}

function formatFetchedAt(at: number | undefined): string | undefined {
  return at === undefined ? undefined : `fetched ${new Date(at).toLocaleString()}`
}
