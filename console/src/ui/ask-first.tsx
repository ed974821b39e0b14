import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import type { IconName } from './icon.tsx'
import { Failure } from './notice.tsx'

interface AskFirstProps {
  /** On the button, and on the one in the dialog that does it unless that has words of its own. */
  name: string
  doing?: string
  /** On the button that leaves things as they are. */
  keeping?: string
  /** What a screen reader says where the same name stands in every row. */
  fullName?: string
  icon?: IconName
  title: string
  /** What has to be typed first, for what is worst. */
  typed?: string
  /** What will be lost. */
  children: ReactNode
  act: () => Promise<unknown>
}

/** A button for what cannot be taken back. */
export function AskFirst(props: AskFirstProps) {
  const { name, doing: doIt = name, keeping = 'Keep it', fullName, icon, title, typed, children, act } = props
  const [isAsking, setAsking] = useState(false)
  const doing = useMutation({ mutationFn: act })
  const [text, setText] = useState('')
  const open = () => {
    doing.reset()
    setText('')
    setAsking(true)
  }
  return (
    <>
      <Button look="danger" {...(icon ? { icon } : {})} aria-label={fullName} onClick={open}>
        {name}
      </Button>
      {isAsking && (
        <Dialog title={title} onClose={() => setAsking(false)}>
          {(close) => (
            <>
              <div>{children}</div>
              {typed !== undefined && (
                <Field
                  name={`Type “${typed}” to go on`}
                  autoComplete="off"
                  spellCheck={false}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
              {doing.error && <Failure error={doing.error} />}
              <div className="dialog-end">
                <Button onClick={close}>{keeping}</Button>
                <Button
                  look="danger"
                  isBusy={doing.isPending}
                  disabled={doing.isPending || (typed !== undefined && text !== typed)}
                  onClick={() => doing.mutate(undefined, { onSuccess: close })}
                >
                  {doIt}
                </Button>
              </div>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}
