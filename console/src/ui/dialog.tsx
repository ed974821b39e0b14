import { type ReactNode, useEffect, useId, useRef } from 'react'
import './dialog.css'

/** Modal dialog on the native `<dialog>`, which traps and restores the focus and needs no injected styles. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  /** Renders the content. `close` also restores the previous focus. */
  children: (close: () => void) => ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
