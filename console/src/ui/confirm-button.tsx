import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import type { IconName } from './icon.tsx'
import { ErrorNotice } from './notice.tsx'

interface ConfirmButtonProps {
  /** Label of the button, also of the confirm button in the dialog unless `confirmLabel` is set. */
  name: string
  confirmLabel?: string
  /** Label of the button that closes the dialog without the action. */
  cancelLabel?: string
  /** Accessible name, for buttons whose visible label repeats in every row. */
  fullName?: string
  icon?: IconName
  title: string
  /** Text that the user types to confirm a destructive action. */
  confirmationText?: string
  /** Description of the data that the action deletes. */
  children: ReactNode
  onConfirm: () => Promise<unknown>
}

/** Button for an irreversible action: opens a dialog that requires a confirmation. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    name,
    confirmLabel = name,
    cancelLabel = 'Cancel',
    fullName,
    icon,
    title,
    confirmationText,
    children,
    onConfirm,
  } = props
  const [isOpen, setOpen] = useState(false)
  const action = useMutation({ mutationFn: onConfirm })
  const [text, setText] = useState('')
  const open = () => {
    action.reset()
    setText('')
    setOpen(true)
  }
  return (
    <>
      <Button variant="danger" {...(icon ? { icon } : {})} aria-label={fullName} onClick={open}>
        {name}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          {(close) => (
            <>
              <div>{children}</div>
              {confirmationText !== undefined && (
                <Field
                  name={`Type “${confirmationText}” to confirm`}
                  autoComplete="off"
                  spellCheck={false}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
              {action.error && <ErrorNotice error={action.error} />}
              <div className="dialog-end">
                <Button onClick={close}>{cancelLabel}</Button>
                <Button
                  variant="danger"
                  isBusy={action.isPending}
                  disabled={action.isPending || (confirmationText !== undefined && text !== confirmationText)}
                  onClick={() => action.mutate(undefined, { onSuccess: close })}
                >
                  {confirmLabel}
                </Button>
              </div>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}
