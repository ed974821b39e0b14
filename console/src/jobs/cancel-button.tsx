import { request } from '../api/request.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'

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
    <ConfirmButton
      name="Cancel"
      confirmLabel="Cancel job"
      cancelLabel="Keep running"
      icon="stop"
      title="Cancel this job?"
      act={cancel}
    >
      <p>A cancelled job cannot be resumed. {what}</p>
    </ConfirmButton>
  )
}
