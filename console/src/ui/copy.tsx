import { useState } from 'react'
import { Button } from './button.tsx'

const labels = { ready: undefined, done: 'Copied', refused: 'Copy manually' } as const

/** Button that copies a text. Browsers provide the clipboard only to HTTPS and localhost; otherwise it shows a hint. */
export function Copy({ text, name = 'Copy' }: { text: string; name?: string }) {
  const [state, setState] = useState<keyof typeof labels>('ready')
  const copy = async () => {
    // The type declares `clipboard` as always present.
    const clipboard = navigator.clipboard as Clipboard | undefined
    const isCopied =
      (await clipboard?.writeText(text).then(
        () => true,
        () => false,
      )) ?? false
    setState(isCopied ? 'done' : 'refused')
    setTimeout(() => setState('ready'), isCopied ? 1500 : 4000)
  }
  return (
    <Button icon={state === 'done' ? 'check' : 'copy'} onClick={copy}>
      {labels[state] ?? name}
    </Button>
  )
}
