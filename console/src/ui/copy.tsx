import { useState } from 'react'
import { Button } from './button.tsx'

const words = { ready: undefined, done: 'Copied', refused: 'Please copy it by hand' } as const

/** Browsers give the clipboard only to pages by https or on the same machine; then it says so. */
export function Copy({ text, name = 'Copy' }: { text: string; name?: string }) {
  const [state, setState] = useState<keyof typeof words>('ready')
  const copy = async () => {
    // Its type promises it everywhere.
    const clipboard = navigator.clipboard as Clipboard | undefined
    const isDone =
      (await clipboard?.writeText(text).then(
        () => true,
        () => false,
      )) ?? false
    setState(isDone ? 'done' : 'refused')
    setTimeout(() => setState('ready'), isDone ? 1500 : 4000)
  }
  return (
    <Button icon={state === 'done' ? 'check' : 'copy'} onClick={copy}>
      {words[state] ?? name}
    </Button>
  )
}
