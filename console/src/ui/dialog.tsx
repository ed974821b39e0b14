import { type ReactNode, useEffect, useId, useRef } from 'react'
import './dialog.css'

/** The browser's own dialog: it keeps the focus inside, gives it back, and needs no style that a script adds. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  /** Closing through this function gives the focus back to where it was. */
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
