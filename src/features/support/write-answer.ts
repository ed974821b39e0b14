import type { ModelAnswer } from './ask-model.ts'
import { fixFor } from './cause.ts'
import { sorted, withConfidence } from './diagnose.ts'
import type { SupportAnswer } from './schema.ts'
import type { FoundSection } from './support-case.ts'
import type { Diagnosis, Trial } from './try-fixes.ts'

interface Found {
  diagnoses: readonly Diagnosis[]
  trials: readonly Trial[]
  sections: readonly FoundSection[]
  /** Of the job; undefined where there is none. */
  kind: string | undefined
}

type Written = Omit<SupportAnswer, 'requestId' | 'durationMs' | 'jobId'>

/** Below this, the facts do not speak for a cause but only allow it. */
const minSureness = 0.5
/** From here on, the facts prove a cause, mended or not. */
const strong = 0.8
const doubtByTrial = 0.15

export function writeAnswer({ diagnoses, trials, sections, kind }: Found): Written {
  const hasJob = kind !== undefined
  const made = trials.filter(({ isSkipped }) => !isSkipped)
  const skipped = trials.filter(({ isSkipped }) => isSkipped)
  const worked = made.find(({ isSuccess }) => isSuccess)
  const best = worked?.diagnosis ?? afterTrials(diagnoses, made)[0]
  const attempted = trials.map(({ says }) => says)
  if (worked && best) return ofFix(best, worked)
  if (!best || best.finding.sureness < minSureness) return ofDocs(sections, { attempted, hasJob })
  const { diagnosis, advice, sureness } = best.finding
  const isTried = made.length > 0
  return {
    answer: sentences(
      diagnosis,
      advice,
      isTried ? 'None of the options that were tried brought a better result.' : '',
    ),
    confidence: confidenceOf(isTried ? sureness - 0.15 : sureness),
    cause: best.cause,
    fixParameters: isTried || !best.finding.fixes?.[0] ? null : fixFor(kind, best.finding.fixes[0]),
    validation: isTried
      ? { tested: true, result: 'failure', evidence: evidenceOf(trials) }
      : best.finding.fixes?.[0]
        ? {
            tested: false,
            result: 'skipped',
            evidence:
              skipped.length > 0
                ? skipped.map(({ says }) => says).join('; ')
                : 'The call cannot be repeated with what is on record of it.',
          }
        : null,
    feedback: isTried ? { blockedBy: 'No option that was tried brought a better result.', attempted } : null,
  }
}

/** What a remedy did not mend is less likely to be the matter, where only weak facts spoke for it. */
function afterTrials(diagnoses: readonly Diagnosis[], trials: readonly Trial[]): Diagnosis[] {
  const failed = new Set(trials.map(({ diagnosis }) => diagnosis.cause))
  return sorted(
    diagnoses.map((one) =>
      failed.has(one.cause) && !one.finding.isSeen && one.finding.sureness < strong
        ? withConfidence(one, one.finding.sureness - doubtByTrial)
        : one,
    ),
  )
}

function ofFix({ cause, finding }: Diagnosis, { fix, says }: Trial): Written {
  return {
    answer: sentences(finding.diagnosis, finding.advice, `This was tried: ${says}.`),
    confidence: 'high',
    cause,
    fixParameters: fix,
    validation: { tested: true, result: 'success', evidence: evidenceOf([{ says }]) },
    feedback: null,
  }
}

/** The options and results of all trials, and what trials never do. */
function evidenceOf(trials: readonly Pick<Trial, 'says'>[]): string {
  return `${trials.map(({ says }) => says).join('; ')}. Trials store, track, save and charge nothing.`
}

/** Nothing is wrong that can be seen: what the documentation says, or what is missing to say more. */
function ofDocs(
  sections: readonly FoundSection[],
  { attempted, hasJob }: { attempted: string[]; hasJob: boolean },
): Written {
  const [first] = sections
  const nothing = { cause: null, fixParameters: null, validation: null }
  if (first) {
    const more = sections.slice(1, 3).map(({ pathOrUrl }) => pathOrUrl)
    return {
      ...nothing,
      answer: sentences(
        first.text,
        `This stands in ${first.pathOrUrl}${more.length > 0 ? `; see also ${more.join(' and ')}` : ''}.`,
      ),
      confidence: 'medium',
      feedback: null,
    }
  }
  const blockedBy = hasJob
    ? 'The trace of the job shows nothing unusual.'
    : 'No job of the team fits the question.'
  return {
    ...nothing,
    answer: sentences(
      blockedBy,
      hasJob
        ? 'Say what was expected, with words of the page in quotation marks.'
        : 'Give the jobId of the call: scrapeId in metadata, id in an error, or the id of a crawl or batch.',
    ),
    confidence: 'low',
    feedback: { blockedBy, attempted },
  }
}

/** What a model came to; a remedy counts only if it was tried and worked. */
export function writeModelAnswer({ answer, cause, trials }: ModelAnswer, earlier: readonly Trial[]): Written {
  const worked = trials.find(({ isSuccess }) => isSuccess)
  const all = [...earlier, ...trials]
  const isTried = all.some(({ isSkipped }) => !isSkipped)
  const attempted = all.map(({ says }) => says)
  return {
    answer,
    confidence: worked ? 'high' : cause === null ? 'low' : 'medium',
    cause,
    fixParameters: worked?.fix ?? null,
    validation: worked
      ? { tested: true, result: 'success', evidence: evidenceOf([worked]) }
      : isTried
        ? { tested: true, result: 'failure', evidence: evidenceOf(all) }
        : all.length > 0
          ? { tested: false, result: 'skipped', evidence: attempted.join('; ') }
          : null,
    feedback: worked || cause !== null ? null : { blockedBy: 'No cause was found.', attempted },
  }
}

const confidenceOf = (sureness: number) => (sureness >= 0.9 ? 'high' : sureness >= 0.65 ? 'medium' : 'low')

/** The answer to a caller that named a job says first that nothing of it was looked at. */
export function answerUnknownJob(written: Written, jobId: string): Written {
  const blockedBy = `This team has no job ${JSON.stringify(jobId)}, or it is no longer kept (RETENTION_HOURS).`
  const feedback = { attempted: written.feedback?.attempted ?? [], blockedBy }
  return { ...written, answer: sentences(blockedBy, written.answer), confidence: 'low', feedback }
}

const sentences = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')
