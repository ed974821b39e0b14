import type { ModelAnswer } from './ask-model.ts'
import { fixFor } from './cause.ts'
import { minSupportedConfidence, sortByConfidence, withConfidence } from './diagnose.ts'
import type { FoundSection } from './read-case.ts'
import type { SupportAnswer } from './schema.ts'
import type { Diagnosis, Trial } from './try-fixes.ts'

interface Findings {
  diagnoses: readonly Diagnosis[]
  trials: readonly Trial[]
  sections: readonly FoundSection[]
  kind: string | undefined
}

type AnswerDraft = Omit<SupportAnswer, 'requestId' | 'durationMs' | 'jobId'>

/** Minimum confidence with which the facts prove a cause, even if its fix fails. */
const provenConfidence = 0.8
const failedFixPenalty = 0.15

export function writeAnswer({ diagnoses, trials, sections, kind }: Findings): AnswerDraft {
  const executed = trials.filter(({ isSkipped }) => !isSkipped)
  const worked = executed.find(({ isSuccess }) => isSuccess)
  if (worked) return answerFromFix(worked)
  const attempted = trials.map(({ evidence }) => evidence)
  const best = afterTrials(diagnoses, executed)[0]
  if (!best || best.finding.confidence < minSupportedConfidence)
    return answerFromDocs(sections, { attempted, hasJob: kind !== undefined })
  const { cause, finding } = best
  const { diagnosis, advice, confidence } = finding
  if (executed.length > 0)
    return {
      answer: sentences(diagnosis, advice, 'None of the options that were tried brought a better result.'),
      confidence: confidenceOf(confidence - failedFixPenalty),
      ...{ cause, fixParameters: null },
      validation: { tested: true, result: 'failure', evidence: evidenceOf(trials) },
      feedback: { blockedBy: 'No option that was tried brought a better result.', attempted },
    }
  const fix = finding.fixes?.[0]
  const evidence = attempted.join('; ') || 'The call cannot be repeated with what is on record of it.'
  return {
    answer: sentences(diagnosis, advice),
    confidence: confidenceOf(confidence),
    cause,
    fixParameters: fix ? fixFor(kind, fix) : null,
    validation: fix ? { tested: false, result: 'skipped', evidence } : null,
    feedback: null,
  }
}

function afterTrials(diagnoses: readonly Diagnosis[], trials: readonly Trial[]): Diagnosis[] {
  const failed = new Set(trials.map(({ diagnosis }) => diagnosis.cause))
  return sortByConfidence(
    diagnoses.map((diagnosis) =>
      failed.has(diagnosis.cause) &&
      !diagnosis.finding.isObserved &&
      diagnosis.finding.confidence < provenConfidence
        ? withConfidence(diagnosis, diagnosis.finding.confidence - failedFixPenalty)
        : diagnosis,
    ),
  )
}

function answerFromFix({ diagnosis: { cause, finding }, fix, evidence }: Trial): AnswerDraft {
  return {
    answer: sentences(finding.diagnosis, finding.advice, `This was tried: ${evidence}.`),
    confidence: 'high',
    cause,
    fixParameters: fix,
    validation: { tested: true, result: 'success', evidence: evidenceOf([{ evidence }]) },
    feedback: null,
  }
}

function evidenceOf(trials: readonly Pick<Trial, 'evidence'>[]): string {
  return `${trials.map(({ evidence }) => evidence).join('; ')}. Trials store, track, save and charge nothing.`
}

function answerFromDocs(
  sections: readonly FoundSection[],
  { attempted, hasJob }: { attempted: string[]; hasJob: boolean },
): AnswerDraft {
  const [first] = sections
  const noCause = { cause: null, fixParameters: null, validation: null }
  if (first) {
    const furtherPaths = sections.slice(1, 3).map(({ pathOrUrl }) => pathOrUrl)
    const seeAlso = furtherPaths.length > 0 ? `; see also ${furtherPaths.join(' and ')}` : ''
    const answer = sentences(first.text, `This stands in ${first.pathOrUrl}${seeAlso}.`)
    return { ...noCause, answer, confidence: 'medium', feedback: null }
  }
  const [blockedBy, request] = hasJob
    ? [
        'The trace of the job shows nothing unusual.',
        'Say what was expected, with words of the page in quotation marks.',
      ]
    : [
        'No job of the team fits the question.',
        'Give the jobId of the call: scrapeId in metadata, id in an error, or the id of a crawl or batch.',
      ]
  const feedback = { blockedBy, attempted }
  return { ...noCause, answer: sentences(blockedBy, request), confidence: 'low', feedback }
}

/** Builds the answer of the language model. A fix is included only if it was tried and worked. */
export function writeModelAnswer(
  { answer, cause, trials }: ModelAnswer,
  earlier: readonly Trial[],
): AnswerDraft {
  const worked = trials.find(({ isSuccess }) => isSuccess)
  if (worked) {
    const validation = { tested: true, result: 'success', evidence: evidenceOf([worked]) } as const
    return { answer, confidence: 'high', cause, fixParameters: worked.fix, validation, feedback: null }
  }
  const all = [...earlier, ...trials]
  const attempted = all.map(({ evidence }) => evidence)
  return {
    answer,
    confidence: cause === null ? 'low' : 'medium',
    cause,
    fixParameters: null,
    validation: all.some(({ isSkipped }) => !isSkipped)
      ? { tested: true, result: 'failure', evidence: evidenceOf(all) }
      : all.length > 0
        ? { tested: false, result: 'skipped', evidence: attempted.join('; ') }
        : null,
    feedback: cause === null ? { blockedBy: 'No cause was found.', attempted } : null,
  }
}

const confidenceOf = (confidence: number) =>
  confidence >= 0.9 ? 'high' : confidence >= 0.65 ? 'medium' : 'low'

export function answerUnknownJob(draft: AnswerDraft, jobId: string): AnswerDraft {
  const blockedBy = `This team has no job ${JSON.stringify(jobId)}, or it is no longer kept (RETENTION_HOURS).`
  const feedback = { attempted: draft.feedback?.attempted ?? [], blockedBy }
  return { ...draft, answer: sentences(blockedBy, draft.answer), confidence: 'low', feedback }
}

const sentences = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')
