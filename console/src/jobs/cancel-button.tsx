import { request } from '../api/request.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'

interface CancelButtonProps {
  /** API path of the job. DELETE cancels it. */
  path: string
  /** Note about the results, shown in the dialog. */
  note: string
  onDone: () => void
}

/** Cancels a job after a confirmation. */
export function CancelButton({ path, note, onDone }: CancelButtonProps) {
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
      onConfirm={cancel}
    >
      <p>A cancelled job cannot be resumed. {note}</p>
    </ConfirmButton>
  )
}
