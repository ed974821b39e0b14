import type { ModelAnswer } from './ask-model.ts'
import { fixFor } from './cause.ts'
import { sorted, withConfidence } from './diagnose.ts'
import type { SupportAnswer } from './schema.ts'
import type { FoundSection } from './support-case.ts'
import type { Diagnosis, Trial } from './try-fixes.ts'

interface Findings {
  diagnoses: readonly Diagnosis[]
  trials: readonly Trial[]
  sections: readonly FoundSection[]
  /** Kind of the job; undefined without a job. */
  kind: string | undefined
}

type AnswerDraft = Omit<SupportAnswer, 'requestId' | 'durationMs' | 'jobId'>

/** Minimum confidence with which the facts support a cause. */
const minConfidence = 0.5
/** Minimum confidence with which the facts prove a cause, even if its fix fails. */
const provenConfidence = 0.8
const failedFixPenalty = 0.15

export function writeAnswer({ diagnoses, trials, sections, kind }: Findings): AnswerDraft {
  const hasJob = kind !== undefined
  const executed = trials.filter(({ isSkipped }) => !isSkipped)
  const skipped = trials.filter(({ isSkipped }) => isSkipped)
  const worked = executed.find(({ isSuccess }) => isSuccess)
  const best = worked?.diagnosis ?? afterTrials(diagnoses, executed)[0]
  const attempted = trials.map(({ evidence }) => evidence)
  if (worked && best) return answerFromFix(best, worked)
  if (!best || best.finding.confidence < minConfidence) return answerFromDocs(sections, { attempted, hasJob })
  const { diagnosis, advice, confidence } = best.finding
  const isTried = executed.length > 0
  return {
    answer: sentences(
      diagnosis,
      advice,
      isTried ? 'None of the options that were tried brought a better result.' : '',
    ),
    confidence: confidenceOf(isTried ? confidence - 0.15 : confidence),
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
                ? skipped.map(({ evidence }) => evidence).join('; ')
                : 'The call cannot be repeated with what is on record of it.',
          }
        : null,
    feedback: isTried ? { blockedBy: 'No option that was tried brought a better result.', attempted } : null,
  }
}

/** Lowers the confidence of causes whose fix failed, unless the cause was observed or is proven. */
function afterTrials(diagnoses: readonly Diagnosis[], trials: readonly Trial[]): Diagnosis[] {
  const failed = new Set(trials.map(({ diagnosis }) => diagnosis.cause))
  return sorted(
    diagnoses.map((diagnosis) =>
      failed.has(diagnosis.cause) &&
      !diagnosis.finding.isObserved &&
      diagnosis.finding.confidence < provenConfidence
        ? withConfidence(diagnosis, diagnosis.finding.confidence - failedFixPenalty)
        : diagnosis,
    ),
  )
}

function answerFromFix({ cause, finding }: Diagnosis, { fix, evidence }: Trial): AnswerDraft {
  return {
    answer: sentences(finding.diagnosis, finding.advice, `This was tried: ${evidence}.`),
    confidence: 'high',
    cause,
    fixParameters: fix,
    validation: { tested: true, result: 'success', evidence: evidenceOf([{ evidence }]) },
    feedback: null,
  }
}

/** Returns the evidence of all trials, and a note that trials have no side effects. */
function evidenceOf(trials: readonly Pick<Trial, 'evidence'>[]): string {
  return `${trials.map(({ evidence }) => evidence).join('; ')}. Trials store, track, save and charge nothing.`
}

/**
 * Builds the answer if no cause is supported: a section of the documentation, or a request for the missing information.
 */
function answerFromDocs(
  sections: readonly FoundSection[],
  { attempted, hasJob }: { attempted: string[]; hasJob: boolean },
): AnswerDraft {
  const [first] = sections
  const noCause = { cause: null, fixParameters: null, validation: null }
  if (first) {
    const furtherPaths = sections.slice(1, 3).map(({ pathOrUrl }) => pathOrUrl)
    return {
      ...noCause,
      answer: sentences(
        first.text,
        `This stands in ${first.pathOrUrl}${furtherPaths.length > 0 ? `; see also ${furtherPaths.join(' and ')}` : ''}.`,
      ),
      confidence: 'medium',
      feedback: null,
    }
  }
  const blockedBy = hasJob
    ? 'The trace of the job shows nothing unusual.'
    : 'No job of the team fits the question.'
  return {
    ...noCause,
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

/** Builds the answer of the language model. A fix is included only if it was tried and worked. */
export function writeModelAnswer(
  { answer, cause, trials }: ModelAnswer,
  earlier: readonly Trial[],
): AnswerDraft {
  const worked = trials.find(({ isSuccess }) => isSuccess)
  const all = [...earlier, ...trials]
  const isTried = all.some(({ isSkipped }) => !isSkipped)
  const attempted = all.map(({ evidence }) => evidence)
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

const confidenceOf = (confidence: number) =>
  confidence >= 0.9 ? 'high' : confidence >= 0.65 ? 'medium' : 'low'

/** Prepends the message that the requested job was not found. */
export function answerUnknownJob(draft: AnswerDraft, jobId: string): AnswerDraft {
  const blockedBy = `This team has no job ${JSON.stringify(jobId)}, or it is no longer kept (RETENTION_HOURS).`
  const feedback = { attempted: draft.feedback?.attempted ?? [], blockedBy }
  return { ...draft, answer: sentences(blockedBy, draft.answer), confidence: 'low', feedback }
}

const sentences = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')
