import { useMutation } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { request } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'

interface CancelButtonProps {
  /** Where the job is deleted, which ends it. */
  path: string
  /** What becomes of its results. */
  what: string
  onDone: () => void
}

/** Ends a job, after asking. */
export function CancelButton({ path, what, onDone }: CancelButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const cancel = useMutation({
    mutationFn: () => request('DELETE', path),
    onSuccess: () => {
      dialog.current?.close()
      onDone()
    },
  })
  return (
    <>
      <Button look="danger" icon="stop" onClick={() => dialog.current?.showModal()}>
        Cancel
      </Button>
      <dialog ref={dialog} className="dialog panel" aria-labelledby={title}>
        <div className="stack">
          <h2 id={title}>Cancel this job?</h2>
          <p>It cannot be taken up again. {what}</p>
          {cancel.error && <Failure error={cancel.error} />}
          <div className="row">
            <Button onClick={() => dialog.current?.close()}>Let it run</Button>
            <Button
              look="danger"
              icon="stop"
              isBusy={cancel.isPending}
              disabled={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              Cancel the job
            </Button>
          </div>
        </div>
      </dialog>
    </>
  )
}
