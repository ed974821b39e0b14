import { Button } from '../../ui/button.tsx'
import { UntrustedMarkdown } from '../../ui/untrusted-markdown.tsx'
import { isObject } from '../form/deep-equal.ts'

interface SupportAnswerProps {
  answer: Record<string, unknown>
  /** Puts the fix into the form; undefined if there is no form. */
  onFix?: (fix: Record<string, unknown>) => void
}

/** Answer of the support agent, with the suggested fix. */
export function SupportAnswer({ answer, onFix }: SupportAnswerProps) {
  const { fixParameters, validation, feedback, confidence } = answer
  const isTested = isObject(validation) && validation.tested === true && validation.result === 'success'
  const text = typeof answer.answer === 'string' ? answer.answer : ''
  const evidence = isObject(validation) && typeof validation.evidence === 'string' ? validation.evidence : ''
  const shownEvidence = text.includes(evidence) ? undefined : evidence
  return (
    <div className="panel support-answer">
      <UntrustedMarkdown text={text} />
      <p className="row">
        {typeof confidence === 'string' && <span className="badge">confidence: {confidence}</span>}
        {typeof answer.cause === 'string' && <span className="badge">{answer.cause}</span>}
        {isTested && <span className="badge good">tested successfully</span>}
      </p>
      {shownEvidence !== undefined && <p className="about">{shownEvidence}</p>}
      {isObject(feedback) && typeof feedback.blockedBy === 'string' && (
        <p className="about">{feedback.blockedBy}</p>
      )}
      {isObject(fixParameters) && (
        <div className="stack">
          <pre>{JSON.stringify(fixParameters, null, 2)}</pre>
          {onFix && (
            <Button variant="main" onClick={() => onFix(fixParameters)}>
              {isTested ? 'Apply tested fix' : 'Apply options'}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
