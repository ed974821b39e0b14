import type { TraceStep } from '../../../client/src/types.ts'
import { counted, formatCharacters, formatCount, formatDuration } from '../ui/units.ts'

export interface DescribedStep {
  name: string
  text: string
  tone: 'good' | 'bad' | 'plain'
  /** Milliseconds since the start; the same where the step is a moment. */
  from: number
  to: number
}

/** A step of a trace in words, and its place in time. What took time is noted at its end. */
export function describeStep(step: TraceStep): DescribedStep {
  const length = 'ms' in step ? step.ms : step.step === 'queue' ? step.waitedMs : 0
  return { ...inWords(step), from: Math.max(0, step.at - length), to: step.at }
}

type Words = Pick<DescribedStep, 'name' | 'text' | 'tone'>

function inWords(step: TraceStep): Words {
  const plain = (name: string, ...parts: (string | false | undefined)[]): Words => ({
    name,
    text: parts.filter(Boolean).join(', '),
    tone: 'plain',
  })
  switch (step.step) {
    case 'plan':
      return plain('Plan', ...planParts(step))
    case 'queue':
      return plain('Waited for a slot', formatDuration(step.waitedMs))
    case 'cache':
      return plain('Cache', step.result === 'hit' ? 'hit' : 'miss', fetchedAt(step.fetchedAt))
    case 'robots':
      return {
        ...plain('robots.txt', step.result, step.message),
        tone: step.result === 'denied' ? 'bad' : 'plain',
      }
    case 'sitemaps':
      return plain(
        'Sitemaps',
        counted(step.files, 'file'),
        `${formatCount(step.found)} URLs listed`,
        step.message,
      )
    case 'fetch':
      return fetchWords(step)
    case 'verdict':
      return verdictWords(step)
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
        `${formatCount(step.keptCharacters)} of ${counted(step.pageCharacters, 'character')} kept`,
      )
    case 'convert':
      return plain('Converted', step.type, step.pages !== undefined && counted(step.pages, 'page'))
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
      return plain('Omitted from the trace', counted(step.steps, 'step'))
  }
}

type StepOf<Name extends TraceStep['step']> = Extract<TraceStep, { step: Name }>

function planParts(step: StepOf<'plan'>): (string | false | undefined)[] {
  return [
    step.formats.join(', '),
    `cache ${step.cache}`,
    step.browserFor !== undefined && `browser for ${step.browserFor}`,
    step.onlyMainContent && 'main content only',
    step.includeTags > 0 && `${step.includeTags} includeTags`,
    step.excludeTags > 0 && `${step.excludeTags} excludeTags`,
    step.waitForMs > 0 && `waitFor ${formatDuration(step.waitForMs)}`,
    step.actions > 0 && counted(step.actions, 'action'),
    step.timeoutMs > 0 && `at most ${formatDuration(step.timeoutMs)}`,
  ]
}

function fetchWords(step: StepOf<'fetch'>): Words {
  const engine = step.engine === 'http' ? 'over HTTP' : `with ${step.engine}`
  const parts = [
    step.proxy !== 'basic' && `proxy ${step.proxy}`,
    step.status !== undefined && `status ${step.status}`,
    step.code,
    step.phase !== undefined && `while in phase ${step.phase}`,
    step.message,
    step.url !== undefined && `ended at ${step.url}`,
    step.contentType,
    step.characters !== undefined && formatCharacters(step.characters),
    step.bytes !== undefined && counted(step.bytes, 'byte'),
  ]
  const isBad = step.result === 'error' || (step.status ?? 200) >= 400
  return { name: `Fetched ${engine}`, text: parts.filter(Boolean).join(', '), tone: isBad ? 'bad' : 'good' }
}

function verdictWords({ kind, reason }: StepOf<'verdict'>): Words {
  const said = {
    good: 'page accepted',
    'needs-browser': 'browser required',
    blocked: 'blocked by the site',
  }
  const text = reason === undefined ? said[kind] : `${said[kind]}: ${reason}`
  return { name: 'Verdict', text, tone: kind === 'good' ? 'good' : kind === 'blocked' ? 'bad' : 'plain' }
}

function fetchedAt(at: number | undefined): string | undefined {
  return at === undefined ? undefined : `fetched ${new Date(at).toLocaleString()}`
}
