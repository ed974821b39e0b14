import { request } from '../api/request.ts'
import { AskFirst } from '../ui/ask-first.tsx'

interface CancelButtonProps {
  /** Where the job is deleted, which ends it. */
  path: string
  /** What becomes of its results. */
  what: string
  onDone: () => void
}

/** Ends a job, after asking. */
export function CancelButton({ path, what, onDone }: CancelButtonProps) {
  const cancel = async () => {
    await request('DELETE', path)
    onDone()
  }
  return (
    <AskFirst
      name="Cancel"
      doing="Cancel the job"
      keeping="Let it run"
      icon="stop"
      title="Cancel this job?"
      act={cancel}
    >
      <p>It cannot be taken up again. {what}</p>
    </AskFirst>
  )
}
